"""Sends seven megabytes of junk beside each answer, which has to be read before it is refused.

uses: sockets forger
"""

converse({"kill_head": KillHead}, envelope=lambda reply: {"reply": reply, "junk": [[]] * 2_300_000})
