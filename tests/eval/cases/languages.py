"""Conversations in one language over evidence in others, and what the service says itself in each."""
# ruff: noqa: RUF001 - full-width punctuation and typographic apostrophes are how these languages are written

from eval.case import Case, Quoted, Said, texts

_ENGLISH = "The battery gave up after five weeks."
_FRENCH = "La batterie tient toute la matinée."
_JAPANESE = "バッテリーは朝から夕方まで持ちます。"
_THREE = texts(_ENGLISH, _FRENCH, _JAPANESE)
_QUOTED = (Quoted(_ENGLISH, _ENGLISH), Quoted(_FRENCH, _FRENCH, "ev_2"), Quoted(_JAPANESE, _JAPANESE, "ev_3"))

_NO_ANSWER = {
    "en": "The selected sources do not answer this question.",
    "fr-CA": "Les sources sélectionnées ne répondent pas à cette question.",
    "German": "Die ausgewählten Quellen beantworten diese Frage nicht.",
    "es": "Las fuentes seleccionadas no responden a esta pregunta.",
    "pt-BR": "As fontes selecionadas não respondem a esta pergunta.",
    "日本語": "選択された情報源には、この質問への答えがありません。",
    "zh-Hans": "所选来源没有回答这个问题。",
    "zh-TW": "所選來源沒有回答這個問題。",
    "nl": "The selected sources do not answer this question.",
}
_CLAIMS = {
    "en": "The reports on the battery differ.",
    "fr": "Les avis sur la batterie divergent.",
    "de": "Die Berichte über den Akku gehen auseinander.",
    "ja": "バッテリーについての評価は分かれています。",
    "zh-CN": "关于电池的评价不一。",
}

CASES = (
    *(
        Case(
            "languages",
            f"what the sources do not say, in {language}",
            _THREE,
            answer=Said("?", ()),
            language=language,
            sufficient=False,
            instead=sentence,
        )
        for language, sentence in _NO_ANSWER.items()
    ),
    *(
        Case(
            "languages",
            f"a claim in {language} over three languages",
            _THREE,
            (Said(claim, _QUOTED),),
            language=language,
        )
        for language, claim in _CLAIMS.items()
    ),
    *(
        Case("languages", f"no limitation given, in {language}", _THREE, limitations=(), language=language)
        for language in ("fr", "ja", "zh-TW")
    ),
    *(
        Case(
            "languages",
            f"something withheld, in {language}",
            _THREE,
            (Said(claim, (Quoted("la batterie tient la matinée", None, "ev_2"),), "quotation"),),
            language=language,
        )
        for language, claim in _CLAIMS.items()
    ),
    Case(
        "languages",
        "a quotation translated into the language of the conversation",
        _THREE,
        (Said("La batterie a lâché.", (Quoted("La batterie a lâché après cinq semaines", None),), "quotation"),),
        language="fr",
    ),
    Case(
        "languages",
        "a number that French writes otherwise than its English source",
        texts("It has sold 12,500 times since spring.", language="en"),
        (
            Said(
                "Il s’est vendu 12\u202f500 fois.",
                (Quoted("It has sold 12,500 times since spring.", "It has sold 12,500 times since spring."),),
            ),
        ),
        language="fr",
    ),
)
