"""The build backend of the package (PEP 517), which pip calls: compiles the C file and packs the wheel.

The C compiler is the one in the variable CC, else the compiler of Python, else cc. Nothing else is needed.
"""

import base64
import hashlib
import os
import shlex
import subprocess
import sysconfig
import tarfile
import tempfile
import zipfile

NAME = "exports"
VERSION = "1.0"
FLAGS = "@FLAGS@"
# The mathematical functions: an archive beside the C file, or options of the linker.
ARCHIVES = [@ARCHIVES@]
# The licence of the archive, which is packed into the wheel.
LICENSES = [@LICENSES@]
LIBRARIES = [@LIBRARIES@]
HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = ["__init__.py", NAME + ".c", NAME + ".h"]
METADATA = f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\nRequires-Dist: numpy\n"


def _compiled(folder):
    """Compiles the C file and returns the path of the shared library."""
    library = os.path.join(folder, NAME + ".so")
    compiler = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    sources = [os.path.join(HERE, NAME, file) for file in [NAME + ".c"] + ARCHIVES]
    command = compiler + shlex.split(FLAGS) + ["-fPIC", "-shared"] + sources + LIBRARIES + ["-o", library]
    subprocess.run(command, check=True)
    return library


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    tag = f"py3-none-{platform}"
    info = f"{NAME}-{VERSION}.dist-info"
    wheel = f"{NAME}-{VERSION}-{tag}.whl"
    with tempfile.TemporaryDirectory() as folder:
        files = {f"{NAME}/{source}": _read(os.path.join(HERE, NAME, source)) for source in SOURCES}
        files[f"{NAME}/{NAME}.so"] = _read(_compiled(folder))
    for license in LICENSES:
        files[f"{info}/licenses/{license}"] = _read(os.path.join(HERE, NAME, license))
    files[f"{info}/METADATA"] = METADATA.encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: vlad\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    )
    record = "".join(f"{path},sha256={_digest(text)},{len(text)}\n" for path, text in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    base = f"{NAME}-{VERSION}"
    with tarfile.open(os.path.join(sdist_directory, base + ".tar.gz"), "w:gz") as archive:
        for path in ["pyproject.toml", "build_backend.py"] + [f"{NAME}/{source}" for source in SOURCES + ARCHIVES + LICENSES]:
            archive.add(os.path.join(HERE, path), f"{base}/{path}")
        with tempfile.TemporaryDirectory() as folder:
            metadata = os.path.join(folder, "PKG-INFO")
            with open(metadata, "w", encoding="utf-8") as file:
                file.write(METADATA)
            archive.add(metadata, f"{base}/PKG-INFO")
    return base + ".tar.gz"


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _digest(text):
    return base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
