"""Which question a stage of an interview asks, as the deck and its theme have it now."""

from __future__ import annotations

from quizapp.deck.deck import Deck
from quizapp.domain.interview_theme import ThemeStage
from quizapp.domain.languages import put_in
from quizapp.domain.question import AnyQuestion, CodeLanguage, Kernel
from quizapp.exercises import tried_inputs


def question_of(deck: Deck, stage: ThemeStage, language: CodeLanguage) -> AnyQuestion:
    """Return the question of a stage, whose question of the deck, if it has one, is there."""
    if stage.ask is not None:
        return stage.ask
    question = deck.question(stage.question)
    if stage.inputs is None:
        return question
    kernel = put_in(question, language)
    assert isinstance(kernel, Kernel)
    return tried_inputs.build_choice(stage.inputs, kernel, stage.name)
