"""Long output condensed: what failed is named whatever it costs, noise goes."""

from __future__ import annotations

import pytest

from treering.domain.text import llm_tokens
from treering.workbench import runners
from treering.workbench.digest import cleaned, digest


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("FAILED tests/test_a.py::TestX::test_b[a-1] - AssertionError: no", "tests/test_a.py::TestX::test_b[a-1]"),
        ("ERROR tests/test_a.py - ImportError: x", "tests/test_a.py"),
        ("tests/test_a.py::test_b FAILED                 [ 50%]", "tests/test_a.py::test_b"),
        ("FAIL: test_add (tests.test_calc.TestCalc)", "test_add (tests.test_calc.TestCalc)"),
        ("    --- FAIL: TestPool/empty (0.00s)", "TestPool/empty"),
        ("test tree::tests::depth ... FAILED", "tree::tests::depth"),
        ("  ● cart › adds an item", "cart › adds an item"),
        (" FAIL  src/cart.test.ts > cart > adds an item", "src/cart.test.ts > cart > adds an item"),
        ("    ✕ adds an item (5 ms)", "adds an item"),
        ("1) App\\Tests\\UserTest::testName", "App\\Tests\\UserTest::testName"),
        ("[ERROR]   StockTest.reserves:42 expected: <1> but was: <2>", "StockTest.reserves"),
        ("[ERROR] reserves(shop.StockTest)  Time elapsed: 0.01 s  <<< FAILURE!", "reserves(shop.StockTest)"),
        ("StockTest > reserves() FAILED", "StockTest > reserves()"),
        ("  Failed House.DoorTests.Opens [12 ms]", "House.DoorTests.Opens"),
        ("rspec ./spec/mailer_spec.rb:12 # Mailer sends", "rspec ./spec/mailer_spec.rb:12 # Mailer sends"),
        ("         3 - parser_test (Failed)", "parser_test"),
        ("Test Case '-[Tests.ViewTests testDraw]' failed (0.1 seconds).", "-[Tests.ViewTests testDraw]"),
        ("not ok 4 - parses a list", "parses a list"),
        ("tests/test_a.py::test_b PASSED", ""),
        ("ERROR: could not open file", ""),
        ("the build FAILED", ""),
    ],
)
def test_each_runner_names_its_failed_tests(line: str, name: str) -> None:
    """The name of the test that failed is read from the line of each common runner, and from no other."""
    assert runners.failed_test(line) == name


@pytest.mark.parametrize(
    "line",
    [
        "===== 2 failed, 31 passed, 1 skipped in 1.20s =====",
        "Ran 12 tests in 0.003s",
        "FAILED (failures=2)",
        "Tests:       1 failed, 8 passed, 9 total",
        "test result: FAILED. 3 passed; 1 failed; 0 ignored",
        "FAIL\tshop/pool\t0.012s",
        "[ERROR] Tests run: 5, Failures: 1, Errors: 0, Skipped: 0",
        "12 examples, 1 failure",
        "75% tests passed, 1 tests failed out of 4",
        "  8 passing (12ms)",
    ],
)
def test_totals_are_told_from_other_lines(line: str) -> None:
    """Lines that count tests are totals, whichever runner printed them."""
    assert runners.is_total(line)
    assert not runners.is_total("running 12 tests")


def test_no_error_is_no_error() -> None:
    """A line that counts none, or names a file, speaks of no error."""
    assert runners.is_error("ValueError: x")
    assert runners.is_error("src/a.c:3: error: expected ';'")
    assert not runners.is_error("0 errors, 0 warnings")
    assert not runners.is_error("compiling src/error.rs")


def big_log(failing: int) -> tuple[str, list[str]]:
    """Return a test log of 5 MB with colours, and the names of its failed tests."""
    names = [f"tests/test_{n % 7}.py::TestQueue::test_case_{n}" for n in range(failing)]
    lines = [f"\x1b[32mtests/test_ok_{n}.py::test_{n} PASSED\x1b[0m [{n % 100}%]" for n in range(90_000)]
    for name in names:
        lines += [f"___ {name} ___", "E   AssertionError: assert 4 == 3", *["WARNING retry after 0.4s"] * 20]
    lines += [f"FAILED {name} - AssertionError: assert 4 == 3" for name in names]
    return "\n".join([*lines, f"==== {failing} failed, 90000 passed in 310.20s ====", ""]), names


@pytest.mark.slow
def test_a_log_of_five_megabytes_keeps_every_failed_test() -> None:
    """It fits 1,500 tokens, with every name, the totals, an error and both ends."""
    text, names = big_log(40)
    assert len(text) > 4_500_000
    made = digest(text)
    assert llm_tokens(made.text) <= 1500
    assert made.failures == tuple(names)
    assert made.shown == 40
    assert all(name.partition("::")[2] in made.text for name in names)
    for part in ("40 failed, 90000 passed", "E   AssertionError: assert 4 == 3", "test_ok_0.py", "[…]"):
        assert part in made.text
    assert "\x1b" not in made.text


@pytest.mark.slow
def test_names_that_do_not_fit_are_counted() -> None:
    """With thousands of failures the text says how many more there are, and all are in the value."""
    text, names = big_log(3000)
    made = digest(text)
    assert llm_tokens(made.text) <= 1500
    assert len(made.failures) == 3000
    assert f"[…] {len(names) - made.shown:,} more" in made.text


def test_short_output_stays_as_it_is() -> None:
    """What fits is not condensed, only freed of control sequences."""
    assert digest("a\n\x1b[1mb\x1b[0m\n").text == "a\nb"


def test_terminal_control_is_resolved() -> None:
    """Colours, titles, and overwritten progress go; of a line that was redrawn its last state stays."""
    raw = "\x1b]0;title\x07  5%\r 50%\r100% done\r\n\x1b[31merror: x\x1b[0m\x08\nplain\r\r\n"
    assert cleaned(raw) == ["100% done", "error: x", "plain"]


def test_the_same_line_with_other_numbers_is_one() -> None:
    """A thousand timeouts are one error; a rare one is shown beside them."""
    lines = [f"12:00:{n:02} ERROR timeout after {n} ms" for n in range(60)] * 50
    lines.insert(1700, "12:01:00 ERROR disk quota exceeded")
    made = digest("\n".join(lines), 400)
    assert made.errors == 2
    assert "disk quota exceeded" in made.text


@pytest.mark.parametrize("text", ["", "\n\n", "x" * 2_000_000, "\ufffd" * 9000, "a\r" * 50_000, "\x1b[" * 20_000])
def test_odd_output_never_fails(text: str) -> None:
    """One endless line, replaced bytes and broken sequences still give a digest within the budget."""
    assert llm_tokens(digest(text, 300).text) <= 300
