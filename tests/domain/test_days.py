"""Study days under real time zones, daylight saving, wrong clocks and flights."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizapp.domain.days import (
    Instant,
    as_date,
    day_start,
    from_date,
    is_past_midnight,
    local_day,
    study_day,
)

BERLIN, NEW_YORK, TOKYO = (ZoneInfo(f) for f in ("Europe/Berlin", "America/New_York", "Asia/Tokyo"))
LOS_ANGELES, KOLKATA = ZoneInfo("America/Los_Angeles"), ZoneInfo("Asia/Kolkata")
HONOLULU, AUCKLAND = ZoneInfo("Pacific/Honolulu"), ZoneInfo("Pacific/Auckland")
KIRITIMATI, KATHMANDU = ZoneInfo("Pacific/Kiritimati"), ZoneInfo("Asia/Kathmandu")
ZONES = (BERLIN, NEW_YORK, TOKYO, KOLKATA, HONOLULU, AUCKLAND, KIRITIMATI, KATHMANDU)


def moment(local: datetime) -> Instant:
    """What a clock in that time zone says."""
    offset = local.utcoffset()
    assert offset is not None
    return Instant(round(local.timestamp() * 1000), int(offset.total_seconds()))


def at(text: str, zone: ZoneInfo = BERLIN, *, fold: int = 0) -> Instant:
    return moment(datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold))


def day_of(text: str, zone: ZoneInfo = BERLIN, *, fold: int = 0) -> date:
    return as_date(local_day(at(text, zone, fold=fold)))


def file_days(moments: list[Instant]) -> list[date]:
    """The days that someone's answers at these moments are filed under."""
    latest: int | None = None
    days = []
    for one in moments:
        day = study_day(one, latest)
        latest = day if latest is None else max(latest, day)
        days.append(as_date(day))
    return days


# Rollover


@pytest.mark.parametrize("zone", ZONES, ids=str)
@pytest.mark.parametrize(
    ("time", "day"),
    [
        ("2026-03-10T03:59:59.999", "2026-03-09"),
        ("2026-03-10T04:00", "2026-03-10"),
        ("2026-03-10T23:59", "2026-03-10"),
        ("2026-03-11T00:00", "2026-03-10"),
        ("2026-03-11T03:59", "2026-03-10"),
    ],
)
def test_a_day_begins_at_four_by_the_wall_clock_wherever_it_hangs(zone, time, day):
    assert day_of(time, zone) == date.fromisoformat(day)
    named = date.fromisoformat(day)
    assert is_past_midnight(from_date(named), at(time, zone)) is (time[:10] != day)
    assert not is_past_midnight(from_date(named) + 1, at(time, zone)), "the log is ahead"


def test_days_before_1970_are_days_too():
    assert local_day(Instant(-1, 0)) == -1
    assert as_date(-1) == date(1969, 12, 31)


@given(
    st.datetimes(datetime(1975, 1, 1), datetime(2090, 1, 1)),
    st.sampled_from(ZONES),
)
def test_the_day_is_the_calendar_s_four_hours_ago(naive, zone):
    local = naive.astimezone(UTC).astimezone(zone)  # a wall-clock time that exists
    expected = (local.replace(tzinfo=None) - timedelta(hours=4)).date()
    assert as_date(local_day(moment(local))) == expected


# Daylight saving


def test_the_night_that_loses_an_hour_has_one_day_after_another():
    # 29 March 2026, Berlin: 02:00 → 03:00.
    assert day_of("2026-03-29T01:59") == date(2026, 3, 28)
    assert day_of("2026-03-29T03:01") == date(2026, 3, 28)
    assert day_of("2026-03-29T04:00") == date(2026, 3, 29)


def test_the_night_that_repeats_an_hour_has_one_day_after_another():
    # 25 October 2026, Berlin: 03:00 → 02:00, so 02:30 comes twice.
    assert day_of("2026-10-25T02:30", fold=0) == date(2026, 10, 24)
    assert day_of("2026-10-25T02:30", fold=1) == date(2026, 10, 24)
    assert day_of("2026-10-25T04:00") == date(2026, 10, 25)


@pytest.mark.parametrize("zone", ZONES, ids=str)
@pytest.mark.parametrize("hour", [0, 3, 4, 5, 12, 23])
def test_who_studies_once_a_day_for_two_years_has_every_day_once(zone, hour):
    evening = datetime(2025, 1, 1, hour, 30, tzinfo=zone)
    days = file_days([moment(evening + timedelta(days=n)) for n in range(730)])
    assert len(set(days)) == 730
    assert days == sorted(days)
    assert days[-1] - days[0] == timedelta(days=729)


# A clock set back, and flights


def test_a_clock_set_back_over_the_rollover_stays_on_the_day_it_was():
    assert (
        file_days([at("2026-05-04T04:10"), at("2026-05-04T03:50"), at("2026-05-04T04:20")])
        == [date(2026, 5, 4)] * 3
    )


def test_a_flight_west_over_the_date_line_does_not_give_a_day_twice():
    # Tuesday breakfast in Auckland, then landing on Monday in Honolulu, then Tuesday there.
    days = file_days(
        [
            at("2026-06-09T08:00", AUCKLAND),
            at("2026-06-08T22:00", HONOLULU),
            at("2026-06-09T08:00", HONOLULU),
            at("2026-06-10T08:00", HONOLULU),
        ]
    )
    assert days == [date(2026, 6, 9)] * 3 + [date(2026, 6, 10)]


def test_a_flight_east_goes_on_with_the_calendar_of_the_place():
    days = file_days(
        [
            at("2026-06-08T20:00", LOS_ANGELES),
            at("2026-06-10T06:00", TOKYO),
            at("2026-06-11T06:00", TOKYO),
        ]
    )
    assert days == [date(2026, 6, 8), date(2026, 6, 10), date(2026, 6, 11)]


def test_a_short_flight_east_past_the_rollover_is_still_one_day_after_another():
    assert file_days([at("2026-06-08T23:00", NEW_YORK), at("2026-06-09T09:00", BERLIN)]) == [
        date(2026, 6, 8),
        date(2026, 6, 9),
    ]


def test_a_log_far_ahead_means_that_the_clock_was_wrong_then_and_time_goes_on():
    wrong = from_date(date(2031, 1, 1))
    assert study_day(at("2026-05-04T12:00"), wrong) == from_date(date(2026, 5, 4))


@given(
    st.datetimes(datetime(2025, 1, 1), datetime(2027, 1, 1)),
    st.lists(
        st.tuples(st.integers(1, 30), st.sampled_from([BERLIN, NEW_YORK, TOKYO, KOLKATA])),
        max_size=40,
    ),
)
def test_whoever_travels_within_a_day_of_time_zones_never_goes_back_a_day(start, hops):
    """Hours pass and the zone changes: filed days never fall."""
    now = start.replace(tzinfo=UTC)
    moments = []
    for hours, zone in hops:
        now += timedelta(hours=hours)
        moments.append(moment(now.astimezone(zone)))
    days = file_days(moments)
    assert days == sorted(days)


# Names of days


@given(st.dates(date(1900, 1, 1), date(2199, 12, 31)))
def test_a_day_and_its_date_name_each_other(value):
    assert as_date(from_date(value)) == value
    midnight = day_start(from_date(value))
    assert midnight == datetime(value.year, value.month, value.day, tzinfo=UTC)
