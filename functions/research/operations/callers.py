"""Who calls, and what of it is read with everything else in a call's first round trip."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from research.operations.ports import Remembered
from research.rules import access, budget
from research.words import ids, records
from research.words.catalogue import Operation
from research.words.problems import Problem
from research.words.records import Found, Member, Ref


@dataclass(frozen=True, slots=True)
class Caller:
    """A bearer token as it was presented: whose it claims to be, and its digest."""

    principal_id: str
    digest: str

    @classmethod
    def of(cls, token: str | None) -> "Caller":
        """The caller of this token, not yet proven. Raises `unauthenticated` for what is no token at all."""
        principal_id = ids.token_principal(token) if token else None
        if not token or principal_id is None:
            raise Problem("unauthenticated")
        return cls(principal_id, ids.token_digest(token))

    def ref(self) -> Ref[records.Token]:
        """Where the token's record would be."""
        return records.token(self.principal_id, self.digest)


@dataclass(frozen=True, slots=True)
class Visit:
    """One call of one operation in one workspace at one instant."""

    caller: Caller
    operation: Operation
    workspace_id: str
    now: datetime

    def refs(self) -> tuple[Ref[Any], ...]:
        """What admission and the budget are decided by."""
        return self.caller.ref(), self.member_ref, self.workspace_ref, self.budget_ref

    @property
    def principal_id(self) -> str:
        """The calling principal."""
        return self.caller.principal_id

    @property
    def member_ref(self) -> Ref[Member]:
        """The caller's membership."""
        return records.member(self.workspace_id, self.principal_id)

    @property
    def workspace_ref(self) -> Ref[records.Workspace]:
        """The workspace."""
        return records.workspace(self.workspace_id)

    @property
    def budget_ref(self) -> Ref[records.Budget]:
        """The workspace's budget of today."""
        return records.budget(self.workspace_id, budget.day(self.now))

    def mutation_ref(self, mutation_id: str) -> Ref[records.Mutation]:
        """The caller's mutation."""
        return records.mutation(self.workspace_id, self.principal_id, mutation_id)

    def remembers(self, mutation_id: str, digest: str, until: datetime, result: str | None = None) -> Remembered:
        """The record that this mutation has acted; `result` as JSON, where nothing that it made tells it."""
        mutation = records.Mutation(operation=self.operation.name, digest=digest, expires_at=until, result=result)
        return Remembered(self.mutation_ref(mutation_id), mutation, self.now)

    def admit(self, found: Found) -> Member:
        """The calling member. Raises 401 and 403 in the order of the design."""
        access.authenticate(found[self.caller.ref()], self.now)
        return access.authorize(found[self.member_ref], self.operation)
