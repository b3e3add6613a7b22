"""Skills for agents."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from devportal.site.output.skills import (
    ApiDocumentation,
    Skill,
    api_skill,
    guide_skill,
    is_skill_name,
    skill_files,
    skill_name,
    write_skills,
)

URL = "https://a.example/docs/"
API = ApiDocumentation(
    title="Parcels API (v2): “pro”",
    description="Sends parcels.",
    url=URL,
    contract=f"{URL}openapi.json",
    overview="# Parcels API\n\n> For AI agents: …\n\nIntroduction.\n\n## Servers\n\n- `https://api.example`\n",
    pages=(("Authentication", f"{URL}reference/authentication.md"),),
)


def front_matter(text: str) -> dict[str, str]:
    """Return what stands between the first two rules."""
    empty, written, _ = text.split("---\n", 2)
    assert empty == ""
    loaded: dict[str, str] = yaml.safe_load(written)
    return loaded


def test_the_skill_of_a_contract_says_where_to_look_and_what_there_is() -> None:
    """Its front matter is YAML whatever the title holds; what the overview says first is not said twice."""
    skill = api_skill(API)

    assert front_matter(skill.text) == {
        "name": "parcels-api-v2-pro",
        "description": "Call the Parcels API (v2): “pro”. Sends parcels. "
        "Use it for code or commands that send requests to this API.",
    }
    assert all(
        f"{URL}{name}" in skill.body for name in ("llms.txt", "openapi.json", "reference/authentication.md")
    )
    assert skill.body.endswith("\n## Servers\n\n- `https://api.example`\n")
    assert "Introduction." not in skill.body


def test_the_index_names_each_skill_with_its_digest() -> None:
    """Addresses are relative to the index, so a site may lie below a path."""
    skills = (api_skill(API), guide_skill("send-parcels", "How to send.", "# Send\n"))

    files = dict(skill_files(skills))
    index = json.loads(files[".well-known/agent-skills/index.json"])

    assert index["$schema"] == "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
    assert [skill["name"] for skill in index["skills"]] == ["parcels-api-v2-pro", "send-parcels"]
    for skill in index["skills"]:
        content = files[f".well-known/agent-skills/{skill['url']}"]
        assert skill["type"] == "skill-md"
        assert skill["digest"] == f"sha256:{sha256(content).hexdigest()}"
        assert front_matter(content.decode())["description"] == skill["description"]


def test_an_api_without_latin_letters_in_its_title_has_its_name() -> None:
    """One of several APIs is known by its name in the settings, so that two such titles are two skills."""
    api = ApiDocumentation(
        title="牧場", description="牛乳を照会します。", url=URL, contract="", overview="", name="ranch"
    )

    assert api_skill(api).name == "ranch"
    assert "牛乳を照会します。 Use it" in api_skill(api).description


def test_limits_of_the_format() -> None:
    """Names have up to 64 characters, descriptions up to 1,024."""
    assert skill_name("Ä/B  c--" + "d" * 80) == f"b-c-{'d' * 60}"
    assert skill_name("日本語") == ""
    assert (
        api_skill(ApiDocumentation(title="日本語", description="", url=URL, contract="", overview="")).name
        == "api"
    )
    assert len(guide_skill("a", "x" * 2000, "").description) == 1024


@pytest.mark.parametrize(
    ("name", "is_one"),
    [("a", True), ("a-1", True), ("a--b", False), ("-a", False), ("a-", False), ("A", False), ("a b", False),
     ("../a", False), ("", False), ("a" * 64, True), ("a" * 65, False)],
)  # fmt: skip
def test_names_are_those_that_the_format_allows(name: str, is_one: bool) -> None:  # noqa: FBT001
    """A name becomes a folder, so nothing else may be one."""
    assert is_skill_name(name) == is_one


def test_skills_of_the_last_build_are_gone(tmp_path: Path) -> None:
    """And so is the index when there are none."""
    write_skills(
        tmp_path, [Skill(name="a", description="A", body=""), Skill(name="b", description="B", body="")]
    )
    write_skills(tmp_path, [Skill(name="b", description="B", body="")])

    folder = tmp_path / ".well-known" / "agent-skills"
    assert sorted(path.name for path in folder.iterdir()) == ["b", "index.json"]
    write_skills(tmp_path, [])
    assert not folder.exists()
