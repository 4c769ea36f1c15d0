"""Where `make deploy` goes, or what is to be done first: `python -m infra.deployment.account COMMAND`."""

import os
import sys

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

_BOOTSTRAPPED = "/cdk-bootstrap/hnb659fds/version"
"""What `cdk bootstrap` leaves behind in Systems Manager."""

_CREDENTIALS = """No AWS credentials that work ({error}). First:
  1. sign in, such as with `aws sso login`, and name the profile: export AWS_PROFILE=…
  2. name the region: export AWS_REGION=eu-central-1
Nothing needs credentials for `make synth`, which checks everything that can be checked without AWS."""

_BOOTSTRAP = """Account {account} is not ready for CDK in {region}. Once for each account and region: make bootstrap"""

_CONFIG = Config(connect_timeout=5, read_timeout=10, retries={"mode": "standard", "total_max_attempts": 2})


def main() -> None:
    """Say which account and region a command is for. Exits with 1 where it could not succeed."""
    command = sys.argv[1]
    session = boto3.session.Session(region_name=os.environ.get("AWS_REGION"))
    try:
        account = session.client("sts", config=_CONFIG).get_caller_identity()["Account"]
        if command != "bootstrap" and not _bootstrapped(session):
            sys.exit(_BOOTSTRAP.format(account=account, region=session.region_name))
    except (BotoCoreError, ClientError) as error:
        code = error.response["Error"]["Code"] if isinstance(error, ClientError) else type(error).__name__
        sys.exit(_CREDENTIALS.format(error=code))
    sys.stdout.write(f"{command}: account {account}, region {session.region_name}\n")


def _bootstrapped(session: boto3.session.Session) -> bool:
    client = session.client("ssm", config=_CONFIG)
    return bool(client.get_parameters(Names=[_BOOTSTRAPPED])["Parameters"])


if __name__ == "__main__":
    main()
