"""The pure core: access, availability, transitions, budget, prompt, quotations and answers. Values in, values out."""
