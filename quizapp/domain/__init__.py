"""The rules of the quiz: questions, answers, ratings, schedules, events.

Pure: no file, no database, no screen, no clock of its own, and no import from the rest of
`quizapp`. Everything here can be tested with values alone.
"""
