"""Fixtures: one local AWS for the session, and the service on a table of its own for each test."""

import itertools
import signal
from collections.abc import Iterator

import pytest
from harness.service import Service
from hypothesis import HealthCheck, settings

from infra.local.aws import LocalAws

_names = itertools.count()

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in the background deaf to Ctrl-C, and every process that a test starts would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("default", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=1000)
settings.load_profile("default")


@pytest.fixture(scope="session")
def aws() -> Iterator[LocalAws]:
    """DynamoDB and SQS over HTTP, and an environment that leads boto3 there and nowhere else."""
    patch = pytest.MonkeyPatch()
    with LocalAws() as local, patch.context() as environment:
        for name, value in {
            "AWS_ENDPOINT_URL": local.endpoint_url,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_CONFIG_FILE": "/dev/null",
            "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
        }.items():
            environment.setenv(name, value)
        yield local


@pytest.fixture
def service(aws: LocalAws) -> Service:
    """The service with a workspace, an owner and three pieces of evidence, on an empty table."""
    aws.calls.clear()
    return Service(aws, f"test-{next(_names)}")
