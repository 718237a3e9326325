"""One screen, one module. A screen draws values of `quizapp.study` and passes on keys."""
