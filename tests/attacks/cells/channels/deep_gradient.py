"""Answers as native autograd does, and one gradient lies in lists nested 600 deep.

uses: sockets forger
like: deep_answer
"""

BENT = []


def deep(value):
    for _ in range(600):
        value = [value]
    return value


def bend(method, answer):
    if method == "interleaved" and not BENT:
        BENT.append(method)
        answer["first"][0] = deep(answer["first"][0])
    return answer


right = differentiated(lambda x, n: torch.where(torch.arange(x.shape[1]) < n, 0.0, x))
converse({"kill_head": right}, bend)
