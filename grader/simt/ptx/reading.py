"""Reads a PTX text (PTX ISA 7 to 9): words → directives, functions, instructions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from grader.facts import Fact, fact
from grader.simt.errors import Refused
from grader.simt.ptx import syntax
from grader.simt.ptx.syntax import Address, Operand
from grader.simt.ptx.tokens import Word, cut

SIZES = {
    "pred": 1, "b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2,
    "b32": 4, "u32": 4, "s32": 4, "f32": 4, "f16x2": 4, "bf16x2": 4, "tf32": 4,
    "b64": 8, "u64": 8, "s64": 8, "f64": 8, "f32x2": 8, "b128": 16,
}  # fmt: skip
"""Bytes of each type."""
_SPACES = ("global", "const", "shared", "local", "param")
_LINKAGE = frozenset({".visible", ".extern", ".weak", ".common"})
_END = Word("end", "", 0)
_NEWEST = 9


def read_ptx(text: str, path: str = "") -> syntax.Module:
    """Read a text. `path`: its file, or "".

    Raises:
        Refused: it is not PTX, or of a version that is not known here.
    """
    try:
        return _Reader(text.rstrip("\0"), path).module()  # NVRTC ends its texts like C
    except Refused as error:
        error.file = path
        raise


def read_statements(text: str) -> syntax.Function:
    """Read what stands in a function's body, as inline assembly does.

    Raises:
        Refused: it is not PTX.
    """
    reader = _Reader(f"{{\n{text}\n}}", "")
    return reader.statements()


@dataclass
class _Body:
    """What is read of a function's body so far.

    Attributes:
        scopes: the names that braces around the current place give to registers and labels,
            innermost last.
    """

    instructions: list[syntax.Instruction] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)
    tables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    registers: dict[str, str] = field(default_factory=dict)
    variables: list[syntax.Variable] = field(default_factory=list)
    scopes: list[dict[str, str]] = field(default_factory=list)
    source: tuple[syntax.SourcePlace, ...] = ()
    inlined: dict[syntax.SourcePlace, syntax.SourcePlace] = field(default_factory=dict)


def _find_inline(lines: Sequence[str]) -> dict[int, int]:
    """Return, for each line of inline assembly, the line that it begins in, from 1."""
    found, begin = dict[int, int](), 0
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text == "// begin inline asm":
            begin = number
        elif text == "// end inline asm":
            begin = 0
        elif begin:
            found[number] = begin
    return found


class _Reader:
    def __init__(self, text: str, path: str) -> None:
        self._path = path
        self._lines = tuple(text.split("\n"))
        self._words = list(cut(text))
        self._asm = _find_inline(self._lines)
        self._placed = 0
        self._at = 0
        self._files: dict[int, str] = {}
        self._functions: dict[str, syntax.Function] = {}
        self._variables: dict[str, syntax.Variable] = {}
        self._target = ""

    # Words

    @property
    def _word(self) -> Word:
        return self._words[self._at] if self._at < len(self._words) else _END

    def _next(self) -> Word:
        word = self._word
        self._at += 1
        return word

    def _is(self, text: str) -> bool:
        """Take a word if it comes next."""
        if self._word.text != text or self._word is _END:
            return False
        self._at += 1
        return True

    def _expect(self, text: str) -> None:
        if not self._is(text):
            raise self._mistake(fact("ptx.expected", wanted=text, found=self._word.text))

    def _mistake(self, what: Fact, line: int = 0) -> Refused:
        if self._word is _END and not line:
            return Refused(fact("ptx.truncated"), line=len(self._lines))
        return Refused(what, line=line or self._word.line)

    def _name(self) -> str:
        word = self._next()
        if word.kind != "name":
            self._at -= 1
            raise self._mistake(fact("ptx.expected-name", found=word.text))
        return word.text

    def _number(self) -> int:
        sign = -1 if self._is("-") else 1
        word = self._next()
        if word.kind != "number":
            self._at -= 1
            raise self._mistake(fact("ptx.expected-number", found=word.text))
        return sign * int(word.text.rstrip("U"), 0)

    def _skip_to(self, *ends: str) -> None:
        """Go on behind the next of some words, over what braces hold."""
        depth = 0
        while self._word is not _END:
            word = self._next().text
            depth += (word == "{") - (word == "}")
            if depth == 0 and word in ends:
                return
        raise self._mistake(fact("ptx.truncated"))

    # Directives

    def module(self) -> syntax.Module:
        if self._word.text != ".version":
            raise Refused(fact("ptx.no-version"), line=max(1, self._word.line))
        handlers: dict[str, Callable[[], None]] = {
            ".version": self._version,
            ".target": self._read_target,
            ".file": self._file,
            ".section": lambda: self._skip_to("}"),
        }
        while self._word is not _END:
            directive = self._word.text
            if directive in handlers:
                self._at += 1
                handlers[directive]()
            elif directive in (".address_size", ".pragma", ".alias"):
                self._skip_line()
            else:
                self._declaration()
        return syntax.Module(
            self._path, self._lines, self._files, self._target, self._functions, self._variables
        )

    def statements(self) -> syntax.Function:
        body = self._body()
        if self._word is not _END:
            raise self._mistake(fact("ptx.expected", wanted=";", found=self._word.text))
        return syntax.Function(
            "asm", 1, False, (), (), tuple(body.instructions), body.labels, body.tables,  # noqa: FBT003
            body.registers, tuple(body.variables),
        )  # fmt: skip

    def _skip_line(self) -> None:
        line = self._word.line
        while self._word is not _END and self._word.line == line:
            self._at += 1

    def _version(self) -> None:
        word = self._next()
        if word.kind != "number":
            raise self._mistake(fact("ptx.no-version"), word.line)
        if int(word.text.partition(".")[0]) > _NEWEST:
            raise self._mistake(fact("ptx.version", version=word.text, newest=_NEWEST), word.line)

    def _read_target(self) -> None:
        line, self._target = self._word.line, self._name()
        while self._word is not _END and self._word.line == line:
            self._at += 1

    def _file(self) -> None:
        number, path = self._number(), self._next().text.strip('"')
        if self._word.kind == "text":  # LLVM names the folder first
            path += "/" + self._next().text.strip('"')
        self._files[number] = path
        while self._is(","):
            self._at += 1

    def _declaration(self) -> None:
        linkage = set()
        while self._word.text in _LINKAGE:
            linkage.add(self._next().text)
        word = self._word
        if word.text in (".func", ".entry"):
            self._at += 1
            self._function(is_kernel=word.text == ".entry")
        elif word.text.removeprefix(".") in _SPACES:
            self._at += 1
            for variable in self._variable(word.text[1:], word.line):
                known = self._variables.get(variable.name)
                if known is None or ".extern" not in linkage or variable.space == "shared":
                    self._variables[variable.name] = variable
        else:
            raise self._mistake(fact("ptx.directive", name=word.text))

    def _variable(self, space: str, line: int) -> list[syntax.Variable]:
        """Read variables behind their space, up to the semicolon."""
        align, kind = 0, ""
        while self._word.kind == "dotted":
            word = self._next().text[1:]
            if word == "align":
                align = self._number()
            elif word == "attribute":
                self._skip_to(")")
            elif word in SIZES:
                kind = word
            elif word in ("v2", "v4"):
                raise self._mistake(fact("ptx.directive", name="." + word), line)
        if not kind:
            raise self._mistake(fact("ptx.expected-type", found=self._word.text), line)
        found = []
        while True:
            name, count = self._name(), 1
            while self._is("["):
                size = 0 if self._word.text == "]" else self._number()
                count *= size
                self._expect("]")
            values = self._initial() if self._is("=") else ()
            align = align or SIZES[kind]
            found.append(syntax.Variable(name, space, kind, count, align, values, line))
            if not self._is(","):
                break
        self._expect(";")
        return found

    def _initial(self) -> tuple[str, ...]:
        """Read what a variable holds at first: numbers and symbols as they are written."""
        values, depth, text = list[str](), 0, ""
        while self._word is not _END and self._word.text != ";":
            word = self._next().text
            depth += (word == "{") - (word == "}")
            if word in "{},":
                values += [text] if text else []
                text = ""
            else:
                text += word
        return (*values, text) if text else tuple(values)

    # Functions

    def _function(self, *, is_kernel: bool) -> None:
        line, results = self._word.line, tuple[syntax.Parameter, ...]()
        if self._word.text == "(":
            results = self._parameters()
        name = self._name()
        parameters = self._parameters() if self._word.text == "(" else ()
        most, cluster = 0, None
        while self._word.text not in ("{", ";"):
            directive = self._next()
            if directive is _END:
                raise self._mistake(fact("ptx.truncated"))
            if directive.text in (".maxntid", ".reqntid"):
                most = self._number()
                while self._is(","):
                    most *= self._number()
            elif directive.text == ".reqnctapercluster":
                given = [self._number()]
                while self._is(","):
                    given.append(self._number())
                x, y, z = (*given, 1, 1)[:3]
                cluster = x, y, z
        if self._is(";"):
            return  # only declared
        body = self._body()
        self._functions[name] = syntax.Function(
            name, line, is_kernel, parameters, results, tuple(body.instructions), body.labels,
            body.tables, body.registers, tuple(body.variables), most or None,
            cluster,
        )  # fmt: skip

    def _parameters(self) -> tuple[syntax.Parameter, ...]:
        found = []
        self._expect("(")
        while not self._is(")"):
            kind = ""
            while self._word.kind in ("dotted", "number"):
                word = self._next().text[1:]
                kind = word if word in SIZES else kind
            name, count = self._name(), 1
            if self._is("["):
                count = self._number()
                self._expect("]")
            found.append(syntax.Parameter(name, kind, count * SIZES.get(kind, 0)))
            self._is(",")
        return tuple(found)

    def _body(self) -> _Body:
        body, handlers = _Body(), self._in_bodies
        self._expect("{")
        while True:
            word = self._word
            if word is _END:
                raise self._mistake(fact("ptx.truncated"))
            if word.text == "{":
                self._at += 1
                body.scopes.append(self._labels_ahead())
            elif word.text == "}":
                self._at += 1
                if not body.scopes:
                    return body
                body.scopes.pop()
            elif word.text in handlers:
                self._at += 1
                handlers[word.text](body)
            elif word.kind == "dotted":
                self._skip_to(";")
            elif self._words[self._at + 1 : self._at + 2] and self._words[self._at + 1].text == ":":
                self._label(body)
            else:
                body.instructions.append(self._instruction(body))

    @property
    def _in_bodies(self) -> dict[str, Callable[[_Body], None]]:
        spaces = {f".{space}": self._local(space) for space in ("local", "shared", "global")}
        return {
            ".loc": self._loc,
            ".reg": self._registers,
            ".param": lambda _body: self._skip_to(";"),
            **spaces,
        }

    def _local(self, space: str) -> Callable[[_Body], None]:
        def read(body: _Body) -> None:
            body.variables += self._variable(space, self._word.line)

        return read

    def _label(self, body: _Body) -> None:
        name = self._name()
        self._expect(":")
        if self._word.text == ".branchtargets":
            self._at += 1
            targets = []
            while not self._is(";"):
                targets.append(self._name())
                self._is(",")
            body.tables[name] = tuple(targets)
        elif self._word.text == ".callprototype":
            self._skip_to(";")
        else:
            body.labels[self._register(name, body)] = len(body.instructions)

    def _labels_ahead(self) -> dict[str, str]:
        """Return the labels of the braces that just began, each with a name of its own."""
        found, depth = dict[str, str](), 1
        for at in range(self._at, len(self._words) - 1):
            word = self._words[at]
            depth += (word.text == "{") - (word.text == "}")
            if not depth:
                break
            if depth == 1 and word.kind == "name" and self._words[at + 1].text == ":":
                found[word.text] = f"{word.text}~{at}"
        return found

    def _loc(self, body: _Body) -> None:
        """Read where the next instructions are in the source; of what was inlined, where from."""
        line = self._word.line
        block = self._asm.get(line, 0)
        if block and block == self._placed:  # LLVM counts the lines of inline assembly on
            self._skip_line()
            return
        self._placed = block
        here = syntax.SourcePlace(self._number(), self._number(), self._number())
        origin: syntax.SourcePlace | None = None
        while self._word is not _END and self._word.line == line:
            if self._is("inlined_at"):
                origin = syntax.SourcePlace(self._number(), self._number(), self._number())
            else:
                self._at += 1
        if origin is not None:
            body.inlined[here] = origin
        places = [here]
        while (around := body.inlined.get(places[-1])) is not None and around not in places:
            places.append(around)
        if known := tuple(each for each in places if each.line):
            body.source = known  # line 0 stands for none: the last one goes on

    def _registers(self, body: _Body) -> None:
        kind = self._next().text[1:]
        if kind not in SIZES:
            raise self._mistake(fact("ptx.expected-type", found="." + kind))
        while True:
            name = self._name()
            if self._is("<"):
                for number in range(self._number()):
                    body.registers[f"{name}{number}"] = kind
                self._expect(">")
            elif body.scopes:  # one of these braces alone: others may be called the same
                own = f"{name}~{len(body.registers)}"
                body.scopes[-1][name] = own
                body.registers[own] = kind
            else:
                body.registers[name] = kind
            if not self._is(","):
                break
        self._expect(";")

    # Instructions

    def _instruction(self, body: _Body) -> syntax.Instruction:
        guard, negated = "", False
        line = self._word.line
        if self._is("@"):
            negated = self._is("!")
            guard = self._register(self._name(), body)
        opcode, modifiers = self._name(), []
        while self._word.kind == "dotted":
            modifiers.append(self._next().text[1:])
        operands = list[Operand]()
        if self._word.text != ";":
            operands.append(self._operand(body))
        while self._is(","):
            operands.append(self._operand(body))
        self._expect(";")
        selectors = tuple[str, ...]()
        if opcode[0] == "v" and opcode != "vote":  # only video instructions name parts of registers
            named = [str(each).partition(".") for each in operands]
            selectors = tuple(part for _, _, part in named)
            operands = [register for register, _, _ in named]
        return syntax.Instruction(
            line, body.source, guard, negated, opcode, tuple(modifiers), tuple(operands),
            selectors if any(selectors) else (),
        )  # fmt: skip

    def _register(self, name: str, body: _Body) -> str:
        return next((each[name] for each in reversed(body.scopes) if name in each), name)

    def _operand(self, body: _Body) -> Operand:
        if self._is("["):
            return self._address(body)
        if self._is("{"):
            return syntax.Group(self._list("}", body))
        if self._is("("):
            return syntax.Group(self._list(")", body))
        text = self._simple(body)
        if self._is("|"):
            text = f"{text}|{self._simple(body)}"
        return text

    def _list(self, end: str, body: _Body) -> tuple[str, ...]:
        parts = list[str]()
        while not self._is(end):
            parts.append(self._simple(body))
            self._is(",")
        return tuple(parts)

    def _simple(self, body: _Body) -> str:
        sign = "-" if self._is("-") else "!" if self._is("!") else ""
        word = self._next()
        if word.kind == "number":
            return sign + word.text
        if word.kind != "name":
            self._at -= 1
            raise self._mistake(fact("ptx.operand", found=word.text))
        text = self._register(word.text, body)
        while self._word.kind == "dotted":  # %tid.x
            text += self._next().text
        if self._is("+"):  # symbol+4
            text = f"{text}+{self._number()}"
        return sign + text

    def _address(self, body: _Body) -> Address:
        if self._word.kind == "number":
            base = self._next().text
        else:
            base = self._register(self._name(), body)
        offset, place = 0, tuple[str, ...]()
        while not self._is("]"):
            if self._is("+") or self._word.text == "-":
                offset += self._number()
            elif self._is(","):
                if not self._is("{"):  # a second address
                    raise self._mistake(fact("ptx.address"))
                place = self._list("}", body)
            else:
                raise self._mistake(fact("ptx.operand", found=self._word.text))
        return Address(base, offset, place)
