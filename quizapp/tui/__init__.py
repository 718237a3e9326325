"""The terminal application. Draws what `quizapp.study` says and passes on what a person does.

Knows no SQL, no YAML and no rule of grading or scheduling.
"""
