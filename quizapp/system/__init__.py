"""Settings, paths, logs, files, the editor and the streams: quiz and the machine it runs on."""
