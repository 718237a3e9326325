"""The deck that a session uses: entries at once, questions decoded when asked for.

`load` reads the compiled deck where it still fits the content, and compiles it otherwise. It must
not import what only compiling or decoding needs.
"""

from __future__ import annotations

from functools import cached_property

from grader import did_you_mean, facts
from quizapp.deck import bodies, compiler, content_hash, index, ordering, titles
from quizapp.deck.index import CompiledDeck, Entry, PackEntry
from quizapp.domain import errors

TYPE_CHECKING = False
"""Type checkers take this name for true: see `index`."""

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from quizapp.domain.question import AnyQuestion


class Deck:
    """All questions that can be studied. Immutable; reload to see changed content.

    `entries` are in the default order, in which they are asked when all are new: those of packs
    that are on by default, then the others. `packs` are those that have a question.
    `fingerprint`: of the content it was made from.
    """

    def __init__(self, compiled: CompiledDeck) -> None:
        self.entries: Mapping[str, Entry] = {entry.id: entry for entry in compiled.entries}
        self.packs: Mapping[str, PackEntry] = {pack.id: pack for pack in compiled.packs}
        self.left_out, self.fingerprint = compiled.left_out, compiled.fingerprint
        self._bodies = compiled.bodies
        self._decoded: dict[str, AnyQuestion] = {}

    def question(self, name: str) -> AnyQuestion:
        """Return the question with the canonical id `name`, which must be in `entries`."""
        found = self._decoded.get(name)
        if found is None:
            entry = self.entries[name]
            body = self._bodies[entry.start : entry.start + entry.length]
            found = bodies.decode(body, entry.kind)
            self._decoded[name] = found
        return found

    def find(self, name: str) -> Entry:
        """Find the entry of a canonical id, or of an id without its pack if only one matches.

        Raises UnknownQuestion: with the nearest ids.
        """
        if name in self.entries:
            return self.entries[name]
        found = [e for e in self.entries.values() if e.id.split("/", 1)[1] == name]
        if len(found) == 1:
            return found[0]
        if found:
            ids = tuple(e.id for e in found)
            raise errors.UnknownQuestion(
                facts.fact("deck.ambiguous-id", id=name), did_you_mean.choices(ids)
            )
        raise errors.UnknownQuestion(facts.fact("deck.unknown-id", id=name), self._nearest(name))

    def check_topic(self, topic: str) -> None:
        """Check that some question has this topic.

        Raises UnknownTopic: none has; the hint names the nearest, or what lists them.
        """
        if topic not in self._by_topic:
            listed = facts.fact("deck.topics")
            hint = did_you_mean.suggest(topic, self.topics, listed) if self.topics else None
            if topic in self.packs:
                hint = facts.fact("deck.topic-is-pack", pack=topic)
            raise errors.UnknownTopic(facts.fact("deck.unknown-topic", topic=topic), hint)

    def find_topic(self, name: str, pack: str | None = None) -> tuple[str, str | None]:
        """Find the topic that a person names: by its id, or by a title of it in either language.

        `pack`: the only one whose titles count.

        Returns:
            The topic, and the pack if the title is that of one pack, and others have the topic.

        Raises UnknownTopic: no question has it, or several topics have this title.
        """
        if name in self._by_topic:
            return name, None
        named: dict[tuple[str, str | None], tuple[str, ...]] = {
            (topic, None): (topic, *self.topic_names(topic)) for topic in self._by_topic
        }
        for entry in self.entries.values():
            if pack in (None, entry.pack):
                named[entry.topic, entry.pack] = entry.topic_names
        found = titles.find_titled(name, named)
        topics = tuple(dict.fromkeys(topic for topic, _ in found))
        if not found:
            self.check_topic(name)
        elif len(topics) > 1:
            what = facts.fact("deck.ambiguous-topic", title=name)
            raise errors.UnknownTopic(what, did_you_mean.choices(topics))
        return found[0] if len(found) == 1 else (topics[0], None)

    def find_pack(self, name: str) -> str:
        """Find the pack that a person names, by its id or by its title in either language.

        Raises UnknownPack: there is none, or several packs have this title.
        """
        named = {pack.id: (pack.id, *pack.titles) for pack in self.packs.values()}
        found = titles.find_titled(name, named)
        if not found:
            self.check_pack(name)
        elif len(found) > 1:
            what = facts.fact("deck.ambiguous-pack", title=name)
            raise errors.UnknownPack(what, did_you_mean.choices(found))
        return found[0]

    def check_pack(self, pack: str) -> None:
        """Check that there is such a pack.

        Raises UnknownPack: there is none; the hint names the nearest.
        """
        if pack not in self.packs:
            known = facts.fact("deck.packs", packs=tuple(self.packs))
            hint = did_you_mean.suggest(pack, self.packs, known) if self.packs else None
            if pack in self.topics:
                hint = facts.fact("deck.pack-is-topic", topic=pack)
            raise errors.UnknownPack(facts.fact("deck.unknown-pack", pack=pack), hint)

    def packs_on(self, switched: Mapping[str, bool]) -> frozenset[str]:
        """Return the packs that ask, by what a person switched; the others as they are shipped."""
        packs = self.packs.values()
        return frozenset(p.id for p in packs if switched.get(p.id, p.on_by_default))

    def topic_names(self, topic: str, pack: str | None = None) -> tuple[str, str]:
        """Return what a topic is called in English and in Chinese: in this pack, or in all.

        Raises UnknownTopic: no question has it.
        """
        self.check_topic(topic)
        having = self._by_topic[topic]
        asked = [e for e in having if e.pack == pack] or having
        english, chinese = zip(*dict.fromkeys(e.topic_names for e in asked), strict=True)
        return " / ".join(english), " / ".join(chinese)

    def _nearest(self, name: str) -> facts.Fact:
        """Suggest ids like `name`."""
        names = {e.id.split("/", 1)[1]: e.id for e in self.entries.values()}
        if "/" in name:
            names |= {e: e for e in self.entries}
        close = dict.fromkeys(names[c] for c in did_you_mean.find_nearest(name, names, most=3))
        if close:
            return did_you_mean.name_nearest(tuple(close))
        if self.left_out:
            return facts.fact("deck.some-omitted", n=self.left_out)
        return facts.fact("deck.search")

    @property
    def topics(self) -> dict[str, int]:
        """The number of questions of each topic, in order of name."""
        return {topic: len(entries) for topic, entries in self._by_topic.items()}

    @cached_property
    def _by_topic(self) -> Mapping[str, list[Entry]]:
        """The entries of each topic, in order of the topics' names."""
        found: dict[str, list[Entry]] = {}
        for entry in self.entries.values():
            found.setdefault(entry.topic, []).append(entry)
        return dict(sorted(found.items()))

    @property
    def renames(self) -> dict[str, str]:
        """Each former canonical id with the present one."""
        return {old: entry.id for entry in self.entries.values() for old in entry.was}


def load(roots: Sequence[str | index.ContentRoot], cache: str) -> Deck:
    """Load the deck of the content roots; later roots overlay earlier ones.

    `cache` is the file of the compiled deck. It is written when content changed; a folder that
    cannot be written only costs the time to compile again.
    """
    compiled = index.read(cache)
    if compiled is not None and index.is_as_it_was(compiled.state, roots):
        return Deck(compiled)
    state, files = index.file_state(roots), index.sources(roots)
    fingerprint = content_hash.fingerprint(files)
    if compiled is None or compiled.fingerprint != fingerprint:
        compiled = compiler.compile_deck(files, compiled).compiled
        ordered = ordering.in_default_order(compiled.entries, compiled.packs)
        compiled = compiled._replace(entries=ordered, fingerprint=fingerprint)
    elif not state:
        return Deck(compiled)
    try:
        index.write(cache, compiled._replace(state=state))
    except OSError:
        return Deck(compiled)
    return Deck(compiled)
