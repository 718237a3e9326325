"""Draws expressions whose value C++17 defines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from bench.gpu.cuda_values.kinds import (
    AND,
    ASSIGNED,
    BOOL,
    BOTH,
    EITHER,
    EQUAL,
    INT,
    KINDS,
    OR,
    ORDER,
    POSTFIX,
    PRIMARY,
    PRODUCT,
    SHIFT,
    SUM,
    UNARY,
    UNSIGNED,
    XOR,
    Kind,
    Locks,
    Made,
    Variable,
    common,
    made,
    promote,
)

_FREE = Locks()


@dataclass(frozen=True, slots=True)
class Array:
    """An array, or what a pointer points to: as many elements as a power of two."""

    text: str
    kind: Kind
    root: str
    length: int
    const: bool = False


@dataclass(frozen=True, slots=True)
class Callee:
    """A function: of values, and behind them of a reference or a pointer that it changes."""

    text: str
    result: Kind
    values: tuple[Kind, ...]
    place: Kind | None = None
    elements: tuple[Kind, int] | None = None


@dataclass(eq=False)
class Expressions:
    """Draws expressions of what is in scope."""

    random: Random
    variables: list[Variable] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    callees: list[Callee] = field(default_factory=list)

    def draw(self, depth: int, locks: Locks = _FREE) -> Made:
        """Draw an expression of any type."""
        if depth <= 0 or self.random.random() < 0.1:
            return self._leaf(locks)
        forms = (
            *(self._arithmetic,) * 6, *(self._divide,) * 3, *(self._bits,) * 3, *(self._shift,) * 3,
            *(self._compare,) * 3, *(self._logical,) * 2, *(self._unary,) * 3, *(self._cast,) * 3,
            *(self._choice,) * 2, self._comma, *(self._step,) * 2, *(self._assign,) * 2,
            *(self._call,) * 3, *(self._element,) * 3, self._leaf_at,
        )  # fmt: skip
        return self.random.choice(forms)(depth - 1, locks)

    def number(self, depth: int, locks: Locks = _FREE) -> Made:
        """Draw an integer."""
        found = self.draw(depth, locks)
        return self.to_integer(found, INT) if found.kind.real else found

    def test(self, depth: int, locks: Locks = _FREE) -> Made:
        """Draw a condition: mostly a comparison."""
        form = self.random.choice((self._compare, self._compare, self._logical, self.draw))
        return form(depth, locks)

    def to(self, kind: Kind, value: Made) -> Made:
        """Return a value that converts to a type by itself."""
        if value.kind.real and not kind.real and kind != BOOL:
            return self.to_integer(value, kind)
        return value

    def to_integer(self, value: Made, kind: Kind) -> Made:
        """Return a real as an integer; out of range it is clamped, as NaN is."""
        high = min(kind.high, 100_000)
        low = max(kind.low, -high)
        if value.kind != BOOL and value.writes:  # it is written several times
            value = self._plain_leaf(real=True)
        text = value.within(ORDER + 1)
        clamped = (
            f"{text} > {low} ? {text} < {high} ? {value.within(ASSIGNED + 1)} : {high} : {low}"
        )
        return made(f"({kind.name})({clamped})", kind, UNARY, value, low=low, high=high)

    def cast_to(self, kind: Kind, value: Made) -> Made:
        """Return a value that no list of initializers would call narrowed."""
        value = self.to(kind, value)
        text = f"({kind.name}){value.within(UNARY)}"
        return value if value.kind == kind else made(text, kind, UNARY, value)

    # Leaves

    def _leaf_at(self, _depth: int, locks: Locks) -> Made:
        return self._leaf(locks)

    def _leaf(self, locks: Locks) -> Made:
        readable = [each for each in self.variables if each.root not in locks.writes]
        if readable and self.random.random() < 0.7:
            return self.random.choice(readable).read()
        return self.literal()

    def _plain_leaf(self, *, real: bool) -> Made:
        literal = self.literal()
        while literal.kind.real != real:
            literal = self.literal()
        return literal

    def literal(self) -> Made:
        """Draw a number."""
        random = self.random
        match random.randrange(8):
            case 0:
                return _whole(random.choice((0, 1, 2, 3, 127, 128, 255, 32767, 65535, 2147483647)))
            case 1:
                value = random.choice((0, 1, 7, 0xFFFF, 0x80000000, 0xFFFFFFFF))
                return made(f"{value:#x}u", UNSIGNED, PRIMARY, low=value, high=value)
            case 2:
                value = random.choice((1, 5_000_000_000, 2**63 - 1, 2**40))
                suffix = random.choice(("l", "ll", "LL"))
                kind = _kind("long" if suffix == "l" else "long long")
                return made(f"{value}{suffix}", kind, PRIMARY, low=value, high=value)
            case 3:
                value = random.choice((3, 2**64 - 1, 2**63))
                kind = _kind("unsigned long long")
                return made(f"{value}ull", kind, PRIMARY, low=value, high=value)
            case 4:
                written = random.choice(("0.5f", "1.5f", "3.0f", "1e-3f", "100.25f", ".1f", "2.f"))
                return made(written, _kind("float"), PRIMARY)
            case 5:
                written = random.choice(("0.5", "1.1", "3.", "1e-5", "123456.789", "1e10"))
                return made(written, _kind("double"), PRIMARY)
            case 6:
                letter = random.choice("a0Z~ ")
                return made(
                    f"'{letter}'", _kind("char"), PRIMARY, low=ord(letter), high=ord(letter)
                )
        return _whole(random.randrange(100))

    # Operators

    def _pair(self, depth: int, locks: Locks) -> tuple[Made, Made]:
        left = self.draw(depth, locks)
        right = self.draw(depth, locks.beside(left))
        return (left, right) if self.random.random() < 0.5 else (right, left)

    def _whole_pair(self, depth: int, locks: Locks) -> tuple[Made, Made]:
        left = self.number(depth, locks)
        return left, self.number(depth, locks.beside(left))

    def small(self, value: Made, bound: int) -> Made:
        """Return an integer with an absolute value up to a bound."""
        if -bound <= value.low and value.high <= bound:
            return value
        kind = promote(value.kind)
        mask = (1 << bound.bit_length() - 1) - 1
        if kind.signed and self.random.random() < 0.3 and kind.bits == 32 and mask:
            shift = 33 - bound.bit_length()
            low, high = value.low >> shift, value.high >> shift
            text = f"{value.within(SHIFT)} >> {shift}"
            return made(text, kind, SHIFT, value, low=low, high=high)
        if self.random.random() < 0.5:
            return made(f"{value.within(AND)} & {mask}", kind, AND, value, low=0, high=mask)
        low = -bound if kind.signed else 0
        return made(
            f"{value.within(PRODUCT)} % {bound + 1}", kind, PRODUCT, value, low=low, high=bound
        )

    def _arithmetic(self, depth: int, locks: Locks) -> Made:
        operator = self.random.choice("++--**")
        left, right = self._pair(depth, locks)
        return self.combine(operator, left, right)

    def combine(self, operator: str, left: Made, right: Made) -> Made:
        """Return a sum, a difference or a product that does not overflow."""
        kind = common(left.kind, right.kind)
        level = PRODUCT if operator == "*" else SUM
        low = high = None
        if not kind.real and kind.signed:
            low, high = _range(operator, left, right)
            if low < kind.low or high > kind.high:
                bound = 30_000 if operator == "*" else 1_000_000
                left, right = self.small(left, bound), self.small(right, bound)
                low, high = _range(operator, left, right)
        elif not kind.real and left.low >= 0 and right.low >= 0:
            low, high = _range(operator, left, right)
        text = f"{left.within(level)} {operator} {right.within(level + 1)}"
        return made(text, kind, level, left, right, low=low, high=high)

    def _divide(self, depth: int, locks: Locks) -> Made:
        left = self.draw(depth, locks)
        operator = self.random.choice("//%")
        if left.kind.real or self.random.random() < 0.15:
            right = self.draw(depth, locks.beside(left))
            if left.kind.real or right.kind.real:
                kind = common(left.kind, right.kind)
                text = f"{left.within(PRODUCT)} / {right.within(PRODUCT + 1)}"
                return made(text, kind, PRODUCT, left, right)
        right = self._divisor(left, depth, locks)
        kind = common(left.kind, right.kind)
        text = f"{left.within(PRODUCT)} {operator} {right.within(PRODUCT + 1)}"
        return made(text, kind, PRODUCT, left, right)

    def _divisor(self, left: Made, depth: int, locks: Locks) -> Made:
        if self.random.random() < 0.5:
            return _whole(self.random.choice((2, 3, 7, 10, 16, 1000, -3, -10)))
        value = self.number(depth, locks.beside(left))
        if value.low > 0 and self.random.random() < 0.5:
            return value
        bound = self.random.choice((7, 15, 31))
        least = self.small(value, bound)
        text = f"{least.within(SUM)} + {bound + 1}"
        return made(text, promote(least.kind), SUM, least, low=least.low + bound + 1,
                    high=least.high + bound + 1)  # fmt: skip

    def _bits(self, depth: int, locks: Locks) -> Made:
        left, right = self._whole_pair(depth, locks)
        kind = common(left.kind, right.kind)
        operator, level = self.random.choice((("&", AND), ("|", OR), ("^", XOR)))
        text = f"{left.within(level)} {operator} {right.within(level + 1)}"
        if operator == "&" and left.low >= 0 and right.low >= 0:
            high = min(left.high, right.high)
            return made(text, kind, level, left, right, low=0, high=high)
        return made(text, kind, level, left, right)

    def _shift(self, depth: int, locks: Locks) -> Made:
        left, right = self._whole_pair(depth, locks)
        kind = promote(left.kind)
        count = made(f"{right.within(AND)} & {kind.bits - 1}", promote(right.kind), AND, right,
                     low=0, high=kind.bits - 1)  # fmt: skip
        if self.random.random() < 0.5:
            text = f"{left.within(SHIFT)} >> {count.within(SHIFT + 1)}"
            return made(text, kind, SHIFT, left, count)
        if kind.signed:  # what is shifted must be positive, and stay so
            left = made(
                f"{left.within(AND)} & 1023", promote(left.kind), AND, left, low=0, high=1023
            )
            count = made(f"{right.within(AND)} & 15", promote(right.kind), AND, right)
        text = f"{left.within(SHIFT)} << {count.within(SHIFT + 1)}"
        return made(text, kind, SHIFT, left, count)

    def _compare(self, depth: int, locks: Locks) -> Made:
        left, right = self._pair(depth, locks)
        operators = (
            ("<", ORDER),
            ("<=", ORDER),
            (">", ORDER),
            (">=", ORDER),
            ("==", EQUAL),
            ("!=", EQUAL),
        )
        operator, level = self.random.choice(operators)
        text = f"{left.within(level)} {operator} {right.within(level + 1)}"
        return made(text, BOOL, level, left, right)

    def _logical(self, depth: int, locks: Locks) -> Made:
        left, right = self.draw(depth - 1, locks), self.draw(depth - 1, locks)
        operator, level = self.random.choice((("&&", BOTH), ("||", EITHER)))
        text = f"{left.within(level)} {operator} {right.within(level + 1)}"
        return made(text, BOOL, level, left, right)

    def _unary(self, depth: int, locks: Locks) -> Made:
        value = self.draw(depth, locks)
        kind = promote(value.kind) if not value.kind.real else value.kind
        operator = self.random.choice("!-+~")
        if operator == "!":
            return made(f"!{value.within(UNARY)}", BOOL, UNARY, value)
        if operator == "~" and not kind.real:
            return made(f"~{value.within(UNARY)}", kind, UNARY, value)
        if operator == "-" and not kind.real and kind.signed and value.low == kind.low:
            value = self.small(value, 1_000_000)
            kind = promote(value.kind)
        sign = "+" if operator == "+" else "-"
        text = value.within(UNARY)
        text = f"({text})" if text[0] in "+-" else text
        return made(f"{sign}{text}", kind, UNARY, value)

    def _cast(self, depth: int, locks: Locks) -> Made:
        value, kind = self.draw(depth, locks), self.random.choice(KINDS)
        value = self.to(kind, value)
        low, high = (None, None) if value.kind.real else (value.low, value.high)
        match self.random.randrange(3):
            case 0:
                text, level = f"static_cast<{kind.name}>({value.text})", POSTFIX
            case 1 if " " not in kind.name:
                text, level = f"{kind.name}({value.text})", POSTFIX
            case _:
                text, level = f"({kind.name}){value.within(UNARY)}", UNARY
        return made(text, kind, level, value, low=low, high=high)

    def _choice(self, depth: int, locks: Locks) -> Made:
        test = self.test(depth, locks)
        yes, no = self.draw(depth, locks), self.draw(depth, locks)
        kind = yes.kind if yes.kind == no.kind else common(yes.kind, no.kind)
        low, high = min(yes.low, no.low), max(yes.high, no.high)
        if yes.kind.real or no.kind.real:
            low, high = kind.low, kind.high
        text = f"{test.within(EITHER)} ? {yes.within(ASSIGNED)} : {no.within(ASSIGNED)}"
        return made(text, kind, ASSIGNED, test, yes, no, low=low, high=high)

    def _comma(self, depth: int, locks: Locks) -> Made:
        left, right = self._change(depth, locks), self.draw(depth, locks)
        text = f"({left.within(ASSIGNED)}, {right.within(ASSIGNED)})"
        return replace(made(text, right.kind, PRIMARY, left, right), low=right.low, high=right.high)

    # Effects

    def writable(self, locks: Locks) -> list[Variable]:
        """Return the variables that may be changed."""
        held = locks.reads | locks.writes
        return [each for each in self.variables if not each.const and each.root not in held]

    def _change(self, depth: int, locks: Locks) -> Made:
        return self.random.choice((self._step, self._assign, self._assign))(depth, locks)

    def _step(self, _depth: int, locks: Locks) -> Made:
        """Draw `++` or `--` of what cannot overflow."""
        fit = [
            each
            for each in self.writable(locks)
            if each.kind != BOOL and (each.kind.real or not each.kind.signed or each.kind.bits < 32)
        ]
        if not fit:
            return self._leaf(locks)
        place = self.random.choice(fit)
        operator = self.random.choice(("++", "--"))
        if self.random.random() < 0.5:
            return _changing(f"{place.text}{operator}", POSTFIX, place)
        return _changing(f"{operator}{place.text}", UNARY, place)

    def _assign(self, depth: int, locks: Locks) -> Made:
        fit = self.writable(locks)
        if not fit:
            return self._leaf(locks)
        place = self.random.choice(fit)
        value = self.draw(depth, locks)
        if place.root in value.writes:
            return value
        return self.assignment(place, value)

    def assignment(self, place: Variable, value: Made) -> Made:
        """Return an assignment of a value; with an operator, if that cannot overflow."""
        kind = place.kind
        plain = self.to(kind, value)
        if place.root in plain.writes or self.random.random() < 0.4 or kind == BOOL:
            return _changing(f"{place.text} = {plain.within(ASSIGNED)}", ASSIGNED, place, plain)
        operator = self.random.choice(("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"))
        if operator in ("+", "-", "*", "/") and (kind.real or value.kind.real):
            if kind.real:
                text = f"{place.text} {operator}= {value.within(ASSIGNED)}"
                return _changing(text, ASSIGNED, place, value)
            value = plain
        if kind.real or value.kind.real:
            return _changing(f"{place.text} = {plain.within(ASSIGNED)}", ASSIGNED, place, plain)
        if operator in ("/", "%"):
            value = _whole(self.random.choice((2, 3, 7, 100)))
        elif operator in ("<<", ">>"):
            value = made(f"{value.within(AND)} & 7", promote(value.kind), AND, value)
            operator = ">>" if kind.signed or promote(kind).signed else operator
        elif operator in ("+", "-", "*"):
            whole = common(kind, value.kind)
            if whole.signed:
                old = place.read()
                value = self.small(value, 1000)
                low, high = _range(operator, old, value)
                if low < whole.low or high > whole.high:
                    operator = "^"
        text = f"{place.text} {operator}= {value.within(ASSIGNED)}"
        return _changing(text, ASSIGNED, place, value)

    # Elements and calls

    def element(self, array: Array, depth: int, locks: Locks) -> tuple[Variable, Made]:
        """Draw an element of an array, and its index."""
        index = self.number(depth, locks)
        mask = array.length - 1
        at = made(
            f"{index.within(AND)} & {mask}", promote(index.kind), AND, index, low=0, high=mask
        )
        text = f"{array.text}[{at.text}]"
        if self.random.random() < 0.15:
            text = f"*({array.text} + {at.within(SUM + 1)})"
        return Variable(text, array.kind, array.root, array.const), at

    def _element(self, depth: int, locks: Locks) -> Made:
        fit = [each for each in self.arrays if each.root not in locks.writes]
        if not fit:
            return self._leaf(locks)
        array = self.random.choice(fit)
        place, index = self.element(array, min(depth, 2), locks)
        if array.root in index.writes:
            return self._leaf(locks)
        found = made(place.text, place.kind, UNARY if place.text[0] == "*" else POSTFIX, index)
        return replace(found, reads=found.reads | {array.root})

    def _call(self, depth: int, locks: Locks) -> Made:
        if not self.callees:
            return self._leaf(locks)
        found = self.call(self.random.choice(self.callees), depth, locks)
        return found or self._leaf(locks)

    def call(self, callee: Callee, depth: int, locks: Locks) -> Made | None:
        """Draw a call; None if nothing can be passed by reference."""
        held = locks.reads | locks.writes
        given: list[Made] = []
        changed = frozenset[str]()
        last: list[str] = []
        if callee.place is not None:
            places = [each for each in self.writable(locks)
                      if each.kind == callee.place and each.low is None]  # fmt: skip
            if not places:
                return None
            place = self.random.choice(places)
            last.append(place.text)
            changed |= {place.root}
        if callee.elements is not None:
            kind, length = callee.elements
            arrays = [each for each in self.arrays if not each.const and each.root not in held
                      and each.kind == kind and each.length >= length]  # fmt: skip
            if not arrays:
                return None
            array = self.random.choice(arrays)
            last.append(array.text)
            changed |= {array.root}
        for kind in callee.values:
            around = Locks(locks.reads, locks.writes).beside(*given)
            value = self.to(kind, self.draw(min(depth, 2), around))
            if value.writes & changed or value.reads & changed:
                value = self.to(kind, self.literal())
            given.append(value)
        arguments = ", ".join((*(each.within(ASSIGNED) for each in given), *last))
        found = made(f"{callee.text}({arguments})", callee.result, POSTFIX, *given)
        return replace(found, reads=found.reads | changed, writes=found.writes | changed)


def _range(operator: str, left: Made, right: Made) -> tuple[int, int]:
    match operator:
        case "+":
            return left.low + right.low, left.high + right.high
        case "-":
            return left.low - right.high, left.high - right.low
    corners = [x * y for x in (left.low, left.high) for y in (right.low, right.high)]
    return min(corners), max(corners)


def _changing(text: str, level: int, place: Variable, *parts: Made) -> Made:
    found = made(text, place.kind, level, *parts)
    return replace(found, reads=found.reads | {place.root}, writes=found.writes | {place.root})


def _whole(value: int) -> Made:
    return made(str(value), INT, UNARY if value < 0 else PRIMARY, low=value, high=value)


def _kind(name: str) -> Kind:
    return next(each for each in KINDS if each.name == name)
