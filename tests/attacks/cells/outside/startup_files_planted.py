"""Plants code that runs later: in site-packages, the shell's start-up folder, the autograder, the user's home."""

import os
import site
import sys

CODE = "open('/tmp/wyob-attack-planted', 'w').close()\n"
places = [f"{folder}/wyob-attack.pth" for folder in [*site.getsitepackages(), site.getusersitepackages()]]
places += [
    os.path.expanduser(name)
    for name in ("~/.ipython/profile_default/startup/wyob-attack.py", "~/.bashrc", "~/.profile")
]
places += [f"{folder}/sitecustomize.py" for folder in sys.path if folder]
places += [f"{os.path.dirname(sys.modules['torch'].__file__)}/wyob-attack.py", "torch.py", "numpy.py"]
autograder = getattr(sys.modules.get("autograder"), "__path__", [])
places += [f"{folder}/wyob-attack.py" for folder in autograder]
for place in places:
    try:
        os.makedirs(os.path.dirname(place) or ".", exist_ok=True)
        with open(place, "x") as file:
            file.write(CODE)
    except OSError:
        pass
