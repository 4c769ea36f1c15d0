"""The local AWS for a command of its own: what the fixtures of tests do, without pytest."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from infra.local.aws import LocalAws

CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "MOTO_ALLOW_NONEXISTENT_REGION": "true",  # botocore lists no region of Secrets Manager for moto
    "no_proxy": "*",
}
"""Leads boto3 to no account of the developer's."""


@contextmanager
def local_aws() -> Iterator[LocalAws]:
    """Running and empty, with an environment that leads boto3 there and nowhere else. Our own log is silent."""
    disabled = logging.root.manager.disable
    with LocalAws() as aws, patch.dict(os.environ, CREDENTIALS | {"AWS_ENDPOINT_URL": aws.endpoint_url}):
        logging.disable(logging.CRITICAL)
        try:
            yield aws
        finally:
            logging.disable(disabled)
