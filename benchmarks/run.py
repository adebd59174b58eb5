"""Measure sqlrec: python benchmarks/run.py, or some parts of it: python benchmarks/run.py five.

Each case is a separate process, including start-up and imports. The measurements are CPU seconds
(user and system) and the maximum memory, by the operating system. The cases of a part alternate
within a round, ratios are computed within a round, and the medians over rounds are reported. Cases
of the same computation must have equal values. README.md in this folder has more.
"""

import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

import cases
from cases import ENVIRONMENTS, HERE, PEERS, Case, Part

RESULTS = HERE / "results"
PAGE = HERE.parent / "docs" / "speed.md"
CHECKED = ("five", "small")
# Only the order of sums of floats may differ; no peer computes these in single precision.
TOLERANCE = 1e-9
# GB of disk, with a reserve: 17 for the tables, and 21 for spilled data if memory is limited.
BYTES_PER_ROW = 50

Measured = dict[str, list[float]]


def main() -> None:
    """Measure the requested parts, and write the table and the plot."""
    options = read_options()
    parts = {
        "five": lambda: cases.five(options.users),
        "deep": lambda: cases.deep(options.users),
        "fifty": lambda: cases.fifty(options.users),
        "additions": lambda: cases.additions(options.users),
        "unjudged": lambda: cases.unjudged(options.users),
        "catalogue": lambda: cases.catalogue(options.users),
        "readers": lambda: cases.readers(options.users),
        "small": cases.small,
        "questions": lambda: cases.questions(options.users),
        "models": lambda: cases.models(options.users),
        "diversity": lambda: cases.diversity(options.users),
        "bootstrap": lambda: cases.bootstrap(options.users),
        "output": lambda: cases.output(options.output),
        "growth": lambda: cases.growth(options.growth),
        "peers": lambda: cases.peers(options.users, options.peer_users),
    }
    names = options.parts or (CHECKED if options.check else parts)
    if unknown := [name for name in names if name not in parts]:
        raise SystemExit(f"{unknown[0]!r} is not a part: the parts are {', '.join(parts)}")
    if options.page and "five" not in names and not (RESULTS / "five.json").exists():
        raise SystemExit("--page shows the part five: measure it too")
    if "peers" in names:
        for peer in PEERS:
            install(peer)
    measured = {name: measure(name, parts[name](), options.rounds) for name in names}
    print("\n\n".join(table(name, result) for name, result in measured.items()))
    if options.check:
        check(measured)
        return
    RESULTS.mkdir(exist_ok=True)
    for name, result in measured.items():
        (RESULTS / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    paths = {name: RESULTS / f"{name}.json" for name in parts}
    results = {name: json.loads(path.read_text()) for name, path in paths.items() if path.exists()}
    tables = "\n\n".join(table(name, result) for name, result in results.items())
    (RESULTS / "table.md").write_text(tables + "\n", encoding="utf-8")
    subprocess.run([sys.executable, HERE / "plot.py"], check=True)
    if options.page:
        text = PAGE.read_text(encoding="utf-8")
        block = r"(<!-- speed:.*?-->\n).*(<!-- end of speed)"
        text = re.sub(block, lambda m: f"{m[1]}\n{short(results)}\n\n{m[2]}", text, flags=re.DOTALL)
        PAGE.write_text(text, encoding="utf-8")


def read_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="part", help="by default all")
    parser.add_argument("--users", type=int, default=100_000, help="with lists of 100")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer-users", type=int, help="by default all, or a tenth for slow peers")
    parser.add_argument("--output", type=int, default=1_000_000, help="users of the part output")
    parser.add_argument(
        "--growth", type=int, nargs="+", default=[10**6, 10**7, 10**8], help="rows; up to 10**9"
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, and fail above a limit"
    )
    parser.add_argument("--page", action="store_true", help="put a short table into docs/speed.md")
    return parser.parse_args()


def install(peer: str) -> None:
    """Install a library in its own environment, if it is not installed.

    It runs once on a few rows, so that libraries cache their compiled code.
    """
    python = ENVIRONMENTS / peer / "bin" / "python"
    if not python.exists():
        venv.create(python.parents[1], with_pip=True)
        packages = cases.constants(peer)["REQUIREMENTS"]
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
    with tempfile.TemporaryDirectory() as folder:
        make_data(Path(folder), {"users": 50})
        script = HERE / "peers" / f"{peer}.py"
        run(Case(peer, ("-P", str(script), "5"), python=str(python)), Path(folder))


def measure(name: str, part: Part, rounds: int) -> dict:
    """Measure the cases of a part."""
    with tempfile.TemporaryDirectory() as folder:
        rows = {data: make_data(Path(folder, data), options) for data, options in part.data.items()}
        measured: dict[str, list[Measured]] = {case.name: [] for case in part.cases}
        for number in range(part.rounds or rounds):
            answers: dict[str, tuple[str, dict[str, float]]] = {}
            for case in part.cases:
                cpu, memory, values = run(case, Path(folder, case.data))
                print(f"{name} {number + 1}: {case.name}: {cpu:.2f} s", file=sys.stderr)
                measured[case.name].append([cpu, memory])
                if case.answers:
                    compare(case, values, *answers.setdefault(case.answers, (case.name, values)))
    return {
        "machine": machine(part),
        "rounds": part.rounds or rounds,
        "cases": {
            case.name: {"rows": rows.get(case.data), "rounds": measured[case.name]}
            for case in part.cases
        },
    }


def make_data(folder: Path, options: dict) -> int:
    """Make a set of tables, and return the number of recommendations."""
    rows = options["users"] * int(options.get("length", 100)) * options.get("models", 1)
    needed, free = rows * BYTES_PER_ROW, shutil.disk_usage(folder.parent).free
    if needed > free:
        raise SystemExit(
            f"{rows:,} rows need {needed / 1e9:.0f} GB of disk, and {folder.parent} has "
            f"{free / 1e9:.0f} GB: give another place as TMPDIR, or ask for fewer rows"
        )
    arguments = [text for key, value in options.items() for text in (f"--{key}", str(value))]
    _, _, counts = run(
        Case("data", (str(HERE / "data.py"), str(folder), *arguments)), folder.parent
    )
    return int(counts["rows"])


def run(case: Case, folder: Path) -> tuple[float, float, dict[str, float]]:
    """Run a case; return its CPU seconds, its largest memory in GB, and its printed values.

    A child's memory includes its parent's, so nothing large is imported here.
    """
    with tempfile.TemporaryFile("w+") as printed:
        child = subprocess.Popen(
            [case.python, *case.command],
            cwd=folder,
            stdout=printed,
            # An empty value lets Python keep compiled files, as an installation does.
            env=os.environ | {"PYTHONPATH": str(HERE.parent), "PYTHONDONTWRITEBYTECODE": ""},
        )
        _, status, usage = os.wait4(child.pid, 0)
        # The process has ended, so it must not be waited for again.
        child.returncode = os.waitstatus_to_exitcode(status)
        if status:
            raise SystemExit(f"{case.name} failed: {' '.join(child.args)}")
        printed.seek(0)
        text = printed.read()
    # macOS reports bytes, Linux kilobytes.
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e9
    values = json.loads(text) if text.startswith("{") else {}
    return usage.ru_utime + usage.ru_stime, memory, values


def compare(case: Case, values: dict[str, float], other: str, expected: dict[str, float]) -> None:
    """Raise an error if values differ from another case's."""
    shared = values.keys() & expected.keys()
    differ = sorted(name for name in shared if not abs(values[name] - expected[name]) < TOLERANCE)
    if differ or not shared:
        name = differ[0] if differ else "nothing in common"
        raise SystemExit(
            f"{case.name} and {other} differ in {len(differ)} answers, as in {name}: "
            f"{values.get(name)} and {expected.get(name)}"
        )


def machine(part: Part) -> str:
    """Return the machine and the versions of a measurement."""
    _, _, versions = run(Case("versions", cases.program("versions")), HERE)
    system = f"{os.cpu_count()} cores ({platform.machine()}), {platform.system()}"
    libraries = [cases.constants(peer) for peer in PEERS if peer in part.data]
    pinned = [
        entry.replace("==", " ")
        for library in libraries
        for entry in library["REQUIREMENTS"]
        if entry.startswith(f"{library['LIBRARY']}==")
    ]
    return ", ".join(
        [system, *(f"{name} {version}" for name, version in versions.items()), *pinned]
    )


def median(result: dict, name: str, column: int) -> float:
    """Return the median of the CPU seconds (0) or memory (1) of a case."""
    return statistics.median(entry[column] for entry in result["cases"][name]["rounds"])


def times(result: dict, name: str, against: list[str]) -> float:
    """Return the ratio of a case's CPU seconds to the sum of other cases', within a round."""
    rounds = {other: result["cases"][other]["rounds"] for other in [name, *against]}
    return statistics.median(
        rounds[name][number][0] / sum(rounds[other][number][0] for other in against)
        for number in range(result["rounds"])
    )


def limits(name: str, result: dict) -> list[tuple[str, float, float, float]]:
    """Return the limited ratios of a part: name, measurement, target and limit."""
    entries = tomllib.loads((HERE / "limits.toml").read_text(encoding="utf-8"))
    rows = []
    for entry in entries.get(name, []):
        case, against = entry["case"], entry.get("against")
        # Earlier measurements may have other cases.
        if not {case, *(against or ())} <= result["cases"].keys():
            continue
        if against:
            quantity, value = f"CPU to {' + '.join(against)}", times(result, case, against)
        elif entry.get("measure") == "memory":
            quantity, value = "GB", median(result, case, 1)
        else:
            quantity, value = "CPU s", median(result, case, 0)
        rows.append(
            (f"{case}: {quantity}", value, entry["target"], entry.get("limit", entry["target"]))
        )
    return rows


def table(name: str, result: dict) -> str:
    """Return the measurements of a part as Markdown."""
    lines = [
        f"## {name}",
        "",
        "| case | rows of recs | CPU s | µs a row | memory GB |",
        "| --- | ---: | ---: | ---: | ---: |",
        *(line(result, case) for case in result["cases"]),
    ]
    if ratios := limits(name, result):
        lines += ["", "| limited | measured | target | limit |", "| --- | ---: | ---: | ---: |"]
        lines += [
            f"| {quantity} | {value:.3g} | {target} | {'' if limit == target else limit} |"
            for quantity, value, target, limit in ratios
        ]
    rounds = "one round" if result["rounds"] == 1 else f"medians of {result['rounds']} rounds"
    return "\n".join([*lines, "", f"{result['machine']}; {rounds}."])


def line(result: dict, case: str, label: str = "") -> str:
    """Return a case as a row of a table."""
    rows, cpu = result["cases"][case]["rows"], median(result, case, 0)
    each = f"{rows:,} | {cpu:.2f} | {cpu / rows * 1e6:.2f}" if rows else f"| {cpu:.2f} |"
    return f"| {label or case} | {each} | {median(result, case, 1):.2f} |"


def short(results: dict[str, dict]) -> str:
    """Return the table of docs/speed.md: the five metrics by sqlrec and by others."""
    lines = [
        "| five metrics at four cutoffs | rows of recs | CPU s | µs a row | memory GB |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    names = {
        "from ranks": "**sqlrec from ranks**",
        "from scores": "**sqlrec from scores**",
        "trec_eval": "pytrec_eval",
    }
    lines += [line(results["five"], case, names.get(case, "")) for case in results["five"]["cases"]]
    lines += [
        line(results["peers"], peer, names.get(peer, "")) for peer in PEERS if "peers" in results
    ]
    machine = results.get("peers", results["five"])["machine"]
    return "\n".join([*lines, "", f"{machine}."])


def check(results: dict[str, dict]) -> None:
    """Fail if a ratio is above its limit."""
    ratios = [
        (f"{name}: {quantity}", value, limit)
        for name, result in results.items()
        for quantity, value, _, limit in limits(name, result)
    ]
    if not ratios:
        raise SystemExit(f"limits.toml has no limit of {', '.join(results)}: nothing is checked")
    broken = [
        f"{quantity} is {value:.3g}, above {limit}"
        for quantity, value, limit in ratios
        if value > limit
    ]
    if broken:
        raise SystemExit("\n".join(broken))
    print(f"{len(ratios)} limits are kept.")


if __name__ == "__main__":
    main()
