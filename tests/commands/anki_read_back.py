"""Runs with the `anki` package alone: imports a package as Anki does, answers a card, exports.

Prints as JSON what Anki has of it. Called by `test_anki.py`: the program never depends on `anki`.
"""

from __future__ import annotations

import json
import sys

from anki.collection import Collection, ExportAnkiPackageOptions, ImportAnkiPackageOptions
from anki.import_export_pb2 import ImportAnkiPackageRequest


def main(package: str, folder: str) -> None:
    """Import `package` into a new collection in `folder`, add to it, and export it twice."""
    collection = Collection(f"{folder}/collection.anki2")
    options = ImportAnkiPackageOptions(with_scheduling=True, with_deck_configs=False)
    collection.import_anki_package(ImportAnkiPackageRequest(package_path=package, options=options))
    today = collection.sched.today
    cards = {}
    for card_id in collection.find_cards(""):
        card = collection.get_card(card_id)
        note = card.note()
        cards[note.guid] = {
            "id": note.fields[0],
            "front": note.fields[1],
            "deck": collection.decks.name(card.did),
            "type": card.type,
            "queue": card.queue,
            "due_in": card.due - today,
            "interval": card.ivl,
            "lapses": card.lapses,
            "stability": card.memory_state.stability if card.memory_state else None,
            "reviews": collection.db.all(
                "SELECT id, ease, ivl, time, type FROM revlog WHERE cid = ? ORDER BY id", card_id
            ),
            "media": [
                collection.media.have(name) for name in collection.media.files_in_str(
                    note.mid, "".join(note.fields)
                )
            ],
        }  # fmt: skip
    reviewed = next(c for c in collection.find_cards("") if collection.get_card(c).type == 2)
    ours = collection.get_card(reviewed)
    ours.start_timer()
    collection.sched.set_due_date([reviewed], "0")
    collection.decks.select(ours.did)
    ours = collection.get_card(reviewed)
    ours.start_timer()
    states = collection._backend.get_scheduling_states(reviewed)
    collection.sched.answer_card(collection.sched.build_answer(card=ours, states=states, rating=2))
    basic = collection.models.by_name("Basic")
    note = collection.new_note(basic)
    note["Front"] = "What is a <b>warp</b>?<br><img src='warp.png'>"
    note["Back"] = "32 threads &amp; one program counter<pre>a[i]\nb[i]</pre>"
    collection.add_note(note, collection.decks.id("GPUs::warps"))
    for legacy, name in ((True, "legacy"), (False, "newest")):
        collection.export_anki_package(
            out_path=f"{folder}/{name}.apkg",
            options=ExportAnkiPackageOptions(
                with_scheduling=True, with_media=True, with_deck_configs=False, legacy=legacy
            ),
            limit=None,
        )
    print(json.dumps({"cards": cards, "answered": ours.note().guid}))
    collection.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
