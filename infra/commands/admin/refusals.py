"""What cannot be done, as one line that says what to do next."""

from typing import Any

from typer import BadParameter
from typer.core import TyperGroup

from infra.administration import Impossible
from infra.commands.terminal import give_up
from infra.evidence_files import EvidenceFileError
from research.operations.ports import Busy, Lost
from research.words.problems import Problem

LOCAL = "--local"


class AdminGroup(TyperGroup):
    """The commands below it, each ended by one line and exit code 1 where it fails for a reason that is known.

    `--local`, anywhere behind `admin`, says in so many words what holds without `--stack`.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the command line."""
        named = [argument for argument in args if argument == "--stack" or argument.startswith("--stack=")]
        if LOCAL in args and named:
            raise BadParameter("--local is the running `research dev`, --stack a deployed one: give one of them.", ctx)
        return super().parse_args(ctx, [argument for argument in args if argument != LOCAL])

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            line = _line(error)
            if line is None:
                raise
            give_up(line)


def _line(error: Exception) -> str | None:
    match error:
        case Impossible() | EvidenceFileError():
            return str(error)
        case Problem():
            return str(error.document("")["detail"])
        case Lost():
            return "Somebody else changed the same thing meanwhile. Look again, and repeat the command."
        case Busy():
            return "The table takes no more now. Wait a little, and repeat the command."
    return _of_aws(error)


def _of_aws(error: Exception) -> str | None:
    from botocore.exceptions import (  # noqa: PLC0415 (a quarter of a second, which other commands need not wait for)
        BotoCoreError,
        ClientError,
        ConnectionError,  # noqa: A004 (botocore's own, which is no OSError)
        HTTPClientError,
    )

    match error:
        case ConnectionError() | HTTPClientError():
            return "The stack does not answer. If it is `research dev`, it has ended: start it again."
        case ClientError():
            code = error.response["Error"]["Code"]
            return f"AWS refused {error.operation_name} ({code}). Check your credentials and what they allow."
        case BotoCoreError():
            return f"AWS cannot be asked ({type(error).__name__}). Check AWS_REGION and your AWS credentials."
    return None
