"""The report on a script's launches, in each of its formats: views of `grader.profiles`."""
