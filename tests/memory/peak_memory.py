"""Runs a command and watches its anonymous memory: what a memory cap counts."""
import pathlib
import subprocess
import time


def anonymous_bytes(pid):
    try:
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def peak_of(command, folder):
    """Highest anonymous memory of the command, its exit status and what it wrote to stderr."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    peak = 0
    while process.poll() is None:
        peak = max(peak, anonymous_bytes(process.pid))
        time.sleep(0.002)
    return peak, process.returncode, process.stderr.read()
