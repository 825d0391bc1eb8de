"""The NetworkX backend: functions with the signatures, values and exceptions of NetworkX."""
