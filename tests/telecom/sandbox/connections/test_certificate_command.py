"""`devportal sandbox certificate`: files that fit each other, keys for nobody else, no overwriting."""

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID
from cryptography.x509.verification import PolicyBuilder, Store

from devportal.cli import cli
from telecom.sandbox.connections.certificates import new_authority


def run(command: str, folder: Path, *arguments: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(cli, ["sandbox", "certificate", command, "--folder", str(folder), *arguments])


def read(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_files_are_printed_and_keys_are_their_owners(tmp_path: Path) -> None:
    """A folder that is missing is made; only keys are secret."""
    folder = tmp_path / "deep" / "certificates"

    printed = [run(command, folder).stdout.split() for command in ("authority", "client", "server")]

    assert printed == [
        [str(folder / f"{name}.pem"), str(folder / f"{name}-key.pem")]
        for name in ("authority", "client", "server")
    ]
    assert {mode(path) for path in folder.glob("*-key.pem")} == {0o600}
    assert len(list(folder.iterdir())) == 6


def test_client_and_server_are_verified_by_their_authority(tmp_path: Path) -> None:
    """By the rules of RFC 5280, each for its own end only."""
    for command in ("authority", "client", "server"):
        assert run(command, tmp_path).exit_code == 0
    builder = PolicyBuilder().store(Store([read(tmp_path / "authority.pem")]))
    client, server = (read(tmp_path / f"{name}.pem") for name in ("client", "server"))

    verified = builder.build_client_verifier().verify(client, [])
    chain = builder.build_server_verifier(x509.DNSName("localhost")).verify(server, [])

    assert verified.chain[-1] == chain[-1] == read(tmp_path / "authority.pem")
    for certificate, usage in (
        (client, ExtendedKeyUsageOID.CLIENT_AUTH),
        (server, ExtendedKeyUsageOID.SERVER_AUTH),
    ):
        assert list(certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value) == [usage]
        key = certificate.public_key()
        assert isinstance(key, ec.EllipticCurvePublicKey)
        assert key.curve.name == "secp256r1"


def test_server_is_called_by_its_hosts(tmp_path: Path) -> None:
    """Names and addresses are told apart."""
    run("authority", tmp_path)
    run("server", tmp_path, "--host", "sandbox.example.com", "--host", "192.0.2.7", "--host", "2001:db8::7")

    names = read(tmp_path / "server.pem").extensions.get_extension_for_class(x509.SubjectAlternativeName)

    assert names.value.get_values_for_type(x509.DNSName) == ["sandbox.example.com"]
    assert [str(value) for value in names.value.get_values_for_type(x509.IPAddress)] == [
        "192.0.2.7",
        "2001:db8::7",
    ]


def test_nothing_outlives_its_authority(tmp_path: Path) -> None:
    """A certificate ends with the one that signed it, or after its own days."""
    run("authority", tmp_path, "--days", "10")
    run("client", tmp_path, "--days", "365")
    run("client", tmp_path, "--days", "5", "--name", "short")
    authority, long, short = (read(tmp_path / f"{name}.pem") for name in ("authority", "client", "short"))

    assert long.not_valid_after_utc == authority.not_valid_after_utc
    assert short.not_valid_after_utc < authority.not_valid_after_utc
    assert short.not_valid_before_utc < datetime.now(UTC)


@pytest.mark.parametrize("file", ["authority.pem", "authority-key.pem"])
def test_nothing_is_overwritten(tmp_path: Path, file: str) -> None:
    """Neither a certificate nor a key, and nothing is written beside it."""
    (tmp_path / file).write_text("mine")

    result = run("authority", tmp_path)

    assert result.exit_code == 2
    assert f"{tmp_path / file}: this file exists" in result.stderr
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(file, "mine")]


def test_client_needs_an_authority(tmp_path: Path) -> None:
    """The message has the command that makes one."""
    result = run("client", tmp_path)

    assert result.exit_code == 2
    assert "authority.pem: there is no authority" in result.stderr
    assert "devportal sandbox certificate authority --folder" in result.stderr


def test_expired_authority_signs_nothing(tmp_path: Path) -> None:
    """Its certificates would be good for nothing."""
    made = new_authority("Old", datetime.now(UTC) - timedelta(days=20), timedelta(days=10))
    (tmp_path / "authority.pem").write_bytes(made.certificate_pem)
    (tmp_path / "authority-key.pem").write_bytes(made.key_pem)

    result = run("client", tmp_path)

    assert result.exit_code == 2
    assert "authority.pem: the authority has expired" in result.stderr


def test_key_of_another_authority_is_told(tmp_path: Path) -> None:
    """Files that were mixed up sign nothing."""
    for name in ("a", "b"):
        run("authority", tmp_path / name)
    (tmp_path / "a" / "authority-key.pem").write_bytes((tmp_path / "b" / "authority-key.pem").read_bytes())

    result = run("client", tmp_path / "a")

    assert result.exit_code == 2
    assert "authority.pem: this key is not the certificate's" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("client", "--name", "../up"), "'../up' cannot name a file"),
        (("client", "--days", "0"), "0 is not in the range"),
        (("server", "--host", "sändbox"), "'sändbox' is not a host"),
        (("authority", "--name", "x" * 65), "is not a name for a certificate"),
    ],
)
def test_wrong_option_is_told(tmp_path: Path, arguments: tuple[str, ...], expected: str) -> None:
    """Exit code 2, what is wrong, and no file."""
    if arguments[0] != "authority":
        run("authority", tmp_path)
    before = sorted(tmp_path.iterdir())

    result = run(arguments[0], tmp_path, *arguments[1:])

    assert result.exit_code == 2
    assert expected in result.stderr
    assert "Traceback" not in result.stderr
    assert sorted(tmp_path.iterdir()) == before
