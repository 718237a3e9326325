"""What fits into a day's minutes: reviews and new questions by their shares, a kernel too."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.minutes import NEW_ANSWERS, REVIEW_ANSWERS, DayMinutes, fill, whole_minutes
from quizapp.domain.order import Candidate


def some(prefix: str, number: int) -> list[Candidate]:
    return [Candidate(f"{prefix}{n}", "topic", (), 1) for n in range(number)]


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 90), st.floats(0.1, 0.9))
def test_a_day_is_filled_by_shares_and_is_over_by_less_than_one_question(
    reviews, new, minutes, share
):
    day = DayMinutes(minutes, lambda _: 2.0, share)
    old, fresh = fill(some("r", reviews), some("n", new), day)
    spent = [2 * REVIEW_ANSWERS * len(old), 2 * NEW_ANSWERS * len(fresh)]
    assert sum(spent) <= max(minutes - 1, 0) + 2 * NEW_ANSWERS
    assert [c.question for c in old] == [f"r{n}" for n in range(len(old))]
    if len(old) < reviews and len(fresh) < new:
        assert sum(spent) > minutes - 1
        assert abs(spent[1] - share * sum(spent)) <= 2 * NEW_ANSWERS
    elif len(old) < reviews or len(fresh) < new:
        assert sum(spent) > minutes - 1


def test_a_kernel_comes_first_on_a_day_that_is_too_short_for_it_and_not_later():
    kernels = some("k", 3)
    whole = DayMinutes(5, lambda _: 12.0)
    assert fill([], kernels, whole) == ([], kernels[:1])
    begun = DayMinutes(5, lambda _: 12.0, spent=(0.5, 0))
    assert fill([], kernels, begun) == ([], [])


@given(st.integers(10, 90), st.floats(0.1, 0.9), st.floats(0, 10), st.floats(0, 10))
def test_the_shares_are_of_the_whole_day_however_many_sessions_it_has(minutes, share, old, fresh):
    day = DayMinutes(minutes, lambda _: 0.1, share, spent=(old, fresh))
    reviews, new = fill(some("r", 900), some("n", 900), day)
    spent = [old + 0.1 * REVIEW_ANSWERS * len(reviews), fresh + 0.1 * NEW_ANSWERS * len(new)]
    if reviews and new:
        assert abs(spent[1] - share * sum(spent)) <= 0.2
    elif reviews or new:
        longer = fresh > share * sum(spent) if reviews else old > (1 - share) * sum(spent)
        assert longer or sum(spent) >= minutes - 0.1


def test_minutes_are_rounded_up_to_what_can_be_known():
    assert [whole_minutes(n) for n in (0, 0.2, 12.5, 30, 31, 94.1)] == [0, 1, 13, 30, 35, 95]
