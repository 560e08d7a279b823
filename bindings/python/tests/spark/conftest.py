"""One session for all tests: a cluster on this machine, of a master and two workers.

It is what `local-cluster[2,1,1024]` starts, but for the addresses of the workers: these differ, because
Spark starts the second copy of a slow task on another host only.
"""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

def processes():
    """The parent and the command of each process, by its number."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_text()
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            parent = int(stat.rpartition(")")[2].split()[1])
            found[int(folder.name)] = (parent, command)
    return found


def below(root):
    """The processes that this one started, directly or not: number and command."""
    all = processes()
    found, wanted = {}, [root]
    while wanted:
        parent = wanted.pop()
        for number, (above, command) in all.items():
            if above == parent:
                found[number] = command
                wanted.append(number)
    return found


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """The address of the master."""
    from pyspark.find_spark_home import _find_spark_home

    folder = tmp_path_factory.mktemp("cluster")
    os.environ.setdefault("SPARK_HOME", _find_spark_home())
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    address = f"spark://127.0.0.1:{free_port()}"
    port = address.rpartition(":")[2]
    commands = [["master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", "0"]]
    for host in ("127.0.0.2", "127.0.0.3"):
        worker = ["worker.Worker", "--host", host, "--cores", "1", "--memory", "1g"]
        commands.append([*worker, "--webui-port", "0", "--work-dir", str(folder / host), address])
    started = []
    with open(folder / "log", "wb") as log:
        for name, *words in commands:
            line = [f"{os.environ['SPARK_HOME']}/bin/spark-class", f"org.apache.spark.deploy.{name}"]
            started.append(subprocess.Popen([*line, *words], stdout=log, stderr=log))
    yield address
    left = {number for process in started for number in [process.pid, *below(process.pid)]}
    for process in reversed(started):
        process.terminate()
        process.wait(60)
    wait_for_the_end_of(left)


def wait_for_the_end_of(numbers):
    for _ in range(100):
        left = [number for number in numbers if Path(f"/proc/{number}").exists()]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"these processes are left: {left}")


@pytest.fixture(scope="session")
def session(cluster, tmp_path_factory):
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("spark")
    settings = {
        "spark.local.dir": folder / "local",
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": 4,
        "spark.task.maxFailures": 8,
        # A task that takes longer than others is started a second time.
        "spark.speculation": "true",
        "spark.speculation.interval": "100ms",
        "spark.speculation.quantile": 0.5,
        "spark.speculation.multiplier": 1.5,
        "spark.speculation.minTaskRuntime": "2s",
    }
    builder = SparkSession.builder.master(cluster).appName("tests")
    for name, value in settings.items():
        builder = builder.config(name, str(value))
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    # Tasks start on both workers only once both have an executor.
    for _ in range(600):
        if session.sparkContext._jsc.sc().getExecutorMemoryStatus().size() == 3:
            break
        time.sleep(0.1)
    yield session
    gateway = session.sparkContext._gateway.proc
    started = below(gateway.pid)
    session.stop()
    gateway.stdin.close()
    gateway.wait(60)
    wait_for_the_end_of(started)
    assert not list((folder / "local").glob("*/*")), "files of Spark are left"
