"""`research admin`: workspaces, projects, members, tokens, budgets and evidence of one stack."""
