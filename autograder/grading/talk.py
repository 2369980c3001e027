"""The requests to a submission's process that are not for a probe: no probe has a method with such a name."""

RUN = "run cells"
OPEN = "open work"
PRINTED = "what was printed"
