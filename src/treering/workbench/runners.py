"""What common test runners print: the names of tests that failed, and totals.

pytest, unittest, Go, Rust, Jest, Vitest, Mocha, JUnit under Maven or Gradle, .NET, RSpec, Minitest, PHPUnit, CTest,
XCTest, TAP.
"""

from __future__ import annotations

import re
from typing import Final

_FAILED: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:FAILED|ERROR) ([\w./\\-]+\.\w+(?:::\S+?(?:\[.*?\])?)?)(?: - .*)?$",  # pytest's summary
        r"([\w./\\-]+\.py::\S+(?:\[.*?\])?) (?:FAILED|ERROR)\b",  # pytest -v
        r"(?:FAIL|ERROR): (\w+ \([\w.]+\))",  # unittest
        r"\s*--- FAIL: (\S+)",  # Go
        r"test (\S+)(?: - .*)? \.\.\. FAILED",  # Rust
        r"\s*● (.+ › .+)$",  # Jest: a suite and the test in it
        r"\s*(?:FAIL|×|✗|\u276f) +(\S+\.\w+ > .+?)(?: \d+ ?ms)?$",  # Vitest
        r"\s*(?:✕|✖|✗|×) (.+?)(?: \(\d+(?:\.\d+)? m?s\))?$",  # Jest, Mocha
        r"\s*\d+\) (\w+(?:\\\w+)*::\w+(?: with data set .*)?)$",  # PHPUnit
        r"\[ERROR\] +([\w.$]+(?:\.|#)\w+)(?::\d+)?(?:(?:\s+»|\s|:).*)?$",  # Maven's summary
        r"(?:\[ERROR\] +)?(\w[\w.$]*\(\w[\w.$]*\)) .*<<< (?:FAILURE|ERROR)!",  # Maven, older
        r"(\S+ > .+) FAILED$",  # Gradle
        r"\s*Failed ([\w.]+(?:\(.*?\))?) \[[\d<]",  # .NET
        r"(rspec \S+:\d+.*)$",  # RSpec
        r"\s*\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT|Not Run|Subprocess aborted)\)",  # CTest
        r"Test Case '(.+?)' failed",  # XCTest
        r"\s*not ok \d+ -? ?(.+)$",  # TAP
        r"(\w+#\w+) \[\S+:\d+\]:$",  # Minitest
    )
)
_HINTS: Final = re.compile(r"FAIL|ERROR|[●✕✖✗×\u276f]|\.\.\. FAILED|\d\) |rspec |Failed|failed|not ok|<<<|#\w+ \[")
_TOTALS: Final = re.compile(
    r"=+ .*\b\d+ (?:passed|failed|error|errors|skipped|deselected|warnings?)\b.* in [\d.:]+ ?s.*=+$|"
    r"\d+ (?:passed|failed)(?:, \d+ \w+)* in [\d.]+s\b|"
    r"Ran \d+ tests? in|FAILED \((?:failures|errors|skipped)|OK(?: \(|$)|"
    r"(?:Tests|Test Suites|Test Files|Snapshots|Time):? +.*\d|"
    r"test result: |(?:ok|FAIL)\t\S+|\s+\d+ (?:passing|failing|pending)\b|"
    r"(?:\[\w+\] )?Tests run: \d+|\d+ tests? completed|BUILD (?:FAILED|SUCCESS)|"
    r"\s*(?:Failed|Passed)!|Total tests: |\s*(?:Total|Passed|Failed|Skipped): +\d+|"
    r"\d+ examples?, \d+ failures?|\d+ runs, \d+ assertions|Tests: \d+, Assertions|"
    r"\d+% tests passed|Executed \d+ tests?|# (?:tests|pass|fail) +\d+"
)
_ERROR: Final = re.compile(
    r"(?<![\w.-])(?:error|fatal|panic|exception|traceback|segmentation fault|undefined reference|assertion\w*|"
    r"cannot find|not found|no such file|permission denied|out of memory|timed? ?out|core dumped|abort(?:ed)?|killed)"
    r"(?![\w-]*[.](?:py|js|ts|go|rs|c|h)\b)|"
    r"(?-i:\b\w*(?:Error|Exception)\b:|^E  |\bERROR\b|\bFATAL\b|\bFAIL(?:ED|URE)?\b)",
    re.IGNORECASE,
)
_NONE: Final = re.compile(
    r"\b(?:0|no) (?:errors?|failures?|failed|warnings?)\b|\b(?:errors?|failures?|failed)[:=] ?0\b", re.IGNORECASE
)


def failed_test(line: str) -> str:
    """Return the name of the test that a line says has failed; empty where it says no such thing."""
    if not _HINTS.search(line):
        return ""
    for pattern in _FAILED:
        found = pattern.match(line)
        if found:
            return " ".join(found[1].split())
    return ""


def is_total(line: str) -> bool:
    """Tell whether a line counts tests, as runners do at their end."""
    return _TOTALS.match(line) is not None


def is_error(line: str) -> bool:
    """Tell whether a line speaks of an error, and not of none."""
    return _ERROR.search(line) is not None and not _NONE.search(line)
