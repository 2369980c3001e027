"""Answers with names, places and dtypes that hold scripts and control characters.

uses: sockets forger
like: junk_in_kept_answers
"""

import numpy as np


def bend(method, answer):
    text = "<script>document.title=1</script><img src=x onerror=alert(1)>\x1b[31m\x9b2J\u202e"
    for key in (
        "others",
        "outputs_on_ctx",
        "captured",
        "kept",
        "cut",
        "functions",
        "detaching",
        "dtypes",
        "autograd",
    ):
        if isinstance(answer, dict) and key in answer:
            answer[key] = [text] * 3
    return answer


converse({"kill_head": KillHead}, bend)
