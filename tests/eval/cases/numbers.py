"""Numbers by value: which a claim may state, and which nothing that it cites proves."""
# ruff: noqa: RUF001 - figures of other scripts are what these cases are about

from eval.case import Case, Quoted, Said, of, rows, texts

_PROVED = (
    ("a separator of thousands left out", "It was sold 12,500 times by spring.", "It was sold 12500 times."),
    ("thousands with a point and a comma", "Das kostet 1.234,50 Euro im Jahr.", "It costs 1,234.50 a year."),
    ("thousands with a narrow space", "Déjà 12\u202f500 acheteurs en tout.", "It has 12,500 buyers."),
    ("a decimal comma", "La batterie tient 3,5 heures en tout.", "It lasts 3.5 hours."),
    ("a closing zero", "It weighs 2.5 kilos without the stand.", "It weighs 2.50 kilos."),
    ("a half as a fraction sign", "It runs for 2½ hours on one charge.", "It runs for 2.5 hours."),
    ("a percentage in words", "The maker promises 80 percent charge.", "The maker promises 80 % charge."),
    ("a percentage in German", "Nach einem Jahr noch 80 Prozent.", "After a year 80% were left."),
    ("Arabic-Indic digits", "تعمل البطارية ١٢ ساعة كاملة", "It works for 12 hours."),
    ("full-width digits", "電池は１２時間持ちました。とても良い。", "It lasted 12 hours."),
    ("Han numerals", "電池は三百二十分持ちました。良い。", "It lasted 320 minutes."),
    ("ten thousands", "もう2万人が使っています。人気です。", "It has 20,000 users."),
    ("a number word of the source", "It ran for seven hours on one charge.", "It ran for 7 hours."),
    ("a number word of the claim", "It ran for 20 hours on one charge.", "It ran for twenty hours."),
    ("millions in words", "They sold 2 million of these fans.", "They sold 2,000,000 of them."),
    ("a number with its unit attached", "The card holds 64GB of recordings.", "The card holds 64 GB."),
    ("a model's name", "My iPhone 15 charges it in no time.", "It goes with an iPhone 15."),
    ("a date spelt otherwise", "Gekauft am 12.05.2026 im Laden hier.", "It was bought on 12 May 2026."),
    ("a superscript that is a note", "It is quiet, they all say.", "It is quiet¹, as they say²."),
    ("a number that means no count", "Nobody here likes the clip.", "No one likes the clip, not one of them."),
)
_UNPROVED = (
    ("a number of the model's own", "It ran for hours on one charge.", "It ran for 9 hours."),
    ("a number word of the model's own", "They say that the clip broke.", "Three of them say that it broke."),
    ("a number inside a longer one", "It was bought here in 2026, they say.", "It lasted 26 days."),
    ("the beginning of a longer number", "It was sold 120 times in one week.", "It was sold 12 times."),
    ("a group of a number with separators", "It was sold 12,500 times by spring.", "It was sold 500 times."),
    ("the whole part of a decimal", "It weighs 2.5 kilos without the stand.", "It weighs 2 kilos."),
    ("the digits of a decimal without its point", "It weighs 2.5 kilos in all.", "It weighs 25 kilos."),
    ("a percentage for a count", "Asked 97 people who bought the fan.", "97 % bought the fan."),
    ("a share computed from counts", "Of 10 buyers 8 sent it back here.", "80 % sent it back."),
    ("a sum", "I bought 2 fans and then 3 fans more.", "They bought 5 fans."),
    ("a million for a thousand", "They sold 2 thousand of these fans.", "They sold 2 million."),
    ("a number of a model's name", "My B12 filter was delivered late.", "There were 12 filters."),
    ("a part of a version", "It needs firmware 1.2.3 to charge.", "It needs firmware 1.2."),
    ("a superscript of the source", "It fills a room of ten m³ with air.", "It fills 3 rooms."),
    ("a sign turned round", "It still works at 5 degrees outside.", "It works at -5 degrees."),
    ("a number cut by an invisible character", "It was sold 120 times in a week.", "It was sold 1\u200b2 times."),
    ("full-width digits that nothing proves", "It ran for hours on one charge.", "It ran for １２ hours."),
    ("Arabic-Indic digits that nothing proves", "It ran for hours on one charge.", "It ran for ١٢ hours."),
    ("twenty for twenty-five", "It has run for twenty-five days now.", "It has run for 20 days."),
    ("one, as a count", "They say that the clip broke.", "It broke after one week."),
    ("another year", "It was bought on 3 May 2025, they say.", "It was bought on 3 May 2026."),
)

_TWO = texts("The battery lasted 7 hours on my balcony.", "The motor broke within the first month.")
_SECOND = Quoted("The motor broke within the first month.", "The motor broke within the first month.", "ev_2")
_REVIEW = "Quiet enough for the nursery, we think."

CASES = (
    *rows("numbers that are proved", ((name, of(text, claim)) for name, text, claim in _PROVED)),
    *rows(
        "numbers that are proved",
        (
            ("a number of the title", of(_REVIEW, "After 5 weeks it is quiet.", title="5 weeks later")),
            (
                "the date of the source",
                of(_REVIEW, "On 3 June 2026 it was quiet.", published_at="2026-06-03T23:30:00Z"),
            ),
            (
                "a number of the question",
                of(_REVIEW, "Nothing is said about 9 hours.") | {"question": "Is it 9 hours?"},
            ),
            ("a mark that the languages settle", of("Es wiegt 1.234 Gramm.", "It weighs 1,234 g.", language="de")),
        ),
    ),
    *rows("numbers that are not", ((name, of(text, claim, "number")) for name, text, claim in _UNPROVED)),
    *rows(
        "numbers that are not",
        (
            (
                "the time of day of the source",
                of(_REVIEW, "It runs 23 hours.", "number", published_at="2026-06-03T23:30Z"),
            ),
            ("a number of the address", of(_REVIEW, "It runs 8 hours.", "number", url="https://example.com/8")),
            ("a decimal for thousands", of("It weighs 1,234 grams.", "It weighs 1.234 g.", "number", language="en")),
        ),
    ),
    Case(
        "numbers that are not",
        "a number of evidence that the claim does not cite",
        _TWO,
        (Said("The motor broke after 7 hours.", (_SECOND,), "number"),),
    ),
    Case(
        "numbers that are not",
        "a number in the main answer",
        _TWO,
        answer=Said("It lasted 9 hours.", (_SECOND,)),
        refused="main_answer_withheld",
    ),
)
