"""How far a person's recall is from what the scheduler predicts, learned from their reviews.

A logistic regression beside the prediction, on what it may have wrong: its level and spread, the
time elapsed, and how often the question was reviewed and forgotten. A prior holds it at "the
scheduler is right", so a few answers move it little; its covariance is the uncertainty. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quizapp.domain.planning.memory_arrays import Floats, Ints

PRIOR_SD = np.array([0.5, 0.2, 0.1, 0.45, 0.5])
"""How far each coefficient may be from the scheduler's, before anything is known.

Twice as far as those of learners each of whose weights is 0.7 to 1.3 times the scheduler's, since
people may differ more (`python -m bench --only forecast`).
"""

_TOLD = 0.5
"""What a review counts as: those of one memory resemble each other, and the features are few."""

_PROBIT = np.pi / 8
"""A logistic curve is about a normal distribution's whose variance is one over this."""

_ROUNDS = 12
_CERTAIN = 1e-4


@dataclass(frozen=True, slots=True)
class Reviews:
    """What was known of reviews before they were answered, one entry each.

    `predicted`: the scheduler's chance of recall. `elapsed`: days since the one before.
    `repetitions`: answers before this one. `lapses`: how many of these, but for the first, were
    rated Again.
    """

    predicted: Floats
    elapsed: Ints
    repetitions: Ints
    lapses: Ints


@dataclass(frozen=True, slots=True)
class RecallCalibration:
    """The coefficients, and how uncertain they are."""

    mean: Floats
    covariance: Floats

    def draw(self, chance: np.random.Generator, runs: int) -> Floats:
        """Draw coefficients that the reviews leave possible, a row per run."""
        return chance.multivariate_normal(self.mean, self.covariance, runs)

    def apply(self, reviews: Reviews) -> Floats:
        """Return the calibrated chance of recall, 0–1."""
        return _logistic(_logit(reviews.predicted) + _features(reviews) @ self.mean)

    def apply_drawn(self, reviews: Reviews, drawn: Floats) -> Floats:
        """Return the chance of recall by drawn coefficients, which are in the last axis.

        Their mean is what `apply` gives: a draw beside a chance of 0.9 has more room below than
        above, so each is moved away from one half by as much as that takes.
        """
        features = _features(reviews)
        variance = ((features @ self.covariance) * features).sum(axis=-1)
        middle = _logit(reviews.predicted) + features @ self.mean
        moved = middle * np.sqrt(1 + _PROBIT * variance)
        return _logistic(moved + (features * (drawn - self.mean)).sum(axis=-1))


def calibrate(reviews: Reviews, recalled: Floats) -> RecallCalibration:
    """Fit to reviews and their outcome, 1 for recalled: the mode and the curvature there."""
    features, offset = _features(reviews), _logit(reviews.predicted)
    prior = np.diag(PRIOR_SD**-2)
    mean = np.zeros(len(PRIOR_SD))
    curvature = prior
    for _ in range(_ROUNDS):
        chance = _logistic(offset + features @ mean)
        weighted = features * (_TOLD * chance * (1 - chance))[:, None]
        curvature = features.T @ weighted + prior
        mean = mean + np.linalg.solve(
            curvature, _TOLD * features.T @ (recalled - chance) - prior @ mean
        )
    return RecallCalibration(mean, np.linalg.inv(curvature))


def _features(reviews: Reviews) -> Floats:
    """Return a last axis per review, about 0 for a young question on its due day."""
    return np.stack(
        [
            np.ones(reviews.predicted.shape),
            _logit(reviews.predicted) - _logit(np.array([0.9])),
            np.log(np.maximum(reviews.elapsed, 1)) - 2.0,
            np.log(np.maximum(reviews.repetitions, 1)) - 1.0,
            np.log1p(reviews.lapses),
        ],
        axis=-1,
    )


def _logit(chance: Floats) -> Floats:
    kept = np.clip(chance, _CERTAIN, 1 - _CERTAIN)
    return np.asarray(np.log(kept / (1 - kept)))


def _logistic(value: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-value)))
