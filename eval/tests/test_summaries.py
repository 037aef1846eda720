from brain.evaluation.summaries import sample


def test_a_sample_depends_on_ids_alone():
    outline = [
        *({"id": f"{n}/", "kind": "folder", "summary": "x"} for n in range(20)),
        *({"id": f"{n}.md", "kind": "document", "summary": "x"} for n in range(20)),
        *({"id": f"{n}.md#a", "kind": "section", "summary": "x"} for n in range(20)),
    ]
    changed = [{**node, "summary": "y"} for node in reversed(outline)]

    chosen = sample(outline, 10)

    assert [node["kind"] for node in chosen] == ["folder"] * 4 + ["document"] * 4 + ["section"] * 2
    assert [node["id"] for node in sample(changed, 10)] == [node["id"] for node in chosen]
