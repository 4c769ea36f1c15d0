"""What the stand-in says in its own words, and the short word lists it goes by."""

# ruff: noqa: RUF001 - Japanese is punctuated in full width

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """One language's sentences. They count nothing and name no source, so that they hold beside any passage."""

    answer: str
    finding: str
    theme: str
    rationale: str
    nothing: str
    uncertainty: str
    label_uncertainty: str
    limitation: str


PHRASES = {
    "en": Phrases(
        answer="The selected sources say: “{text}”",
        finding="A further source says: “{text}”",
        theme="“{term}” comes up: “{text}”",
        rationale="The words are taken from this passage: “{text}”",
        nothing="The selected sources do not answer this question.",
        uncertainty="Chosen because its words meet those of the question; nothing was interpreted.",
        label_uncertainty="Decided by a short list of words, without regard to their context.",
        limitation="A local stand-in without a language model put this together: it only chooses and quotes passages.",
    ),
    "fr": Phrases(
        answer="Les sources choisies disent : « {text} »",
        finding="Une autre source dit : « {text} »",
        theme="« {term} » revient : « {text} »",
        rationale="Les mots viennent de ce passage : « {text} »",
        nothing="Les sources choisies ne répondent pas à cette question.",
        uncertainty="Choisi parce que ses mots rejoignent ceux de la question ; rien n'a été interprété.",
        label_uncertainty="Décidé par une courte liste de mots, sans tenir compte de leur contexte.",
        limitation="Composé par un substitut local sans modèle de langue : il choisit et cite des passages.",
    ),
    "de": Phrases(
        answer="Die ausgewählten Quellen sagen: „{text}“",
        finding="Eine weitere Quelle sagt: „{text}“",
        theme="„{term}“ kommt vor: „{text}“",
        rationale="Die Wörter stammen aus dieser Stelle: „{text}“",
        nothing="Die ausgewählten Quellen beantworten diese Frage nicht.",
        uncertainty="Gewählt, weil sich die Wörter mit denen der Frage decken; nichts wurde gedeutet.",
        label_uncertainty="Nach einer kurzen Wortliste entschieden, ohne Rücksicht auf den Zusammenhang.",
        limitation="Von einem lokalen Ersatz ohne Sprachmodell erstellt: Er wählt Stellen nur aus und zitiert sie.",
    ),
    "ja": Phrases(
        answer="選択された資料にはこう書かれています：「{text}」",
        finding="別の資料にはこう書かれています：「{text}」",
        theme="「{term}」への言及：「{text}」",
        rationale="次の箇所の言葉によります：「{text}」",
        nothing="選択された資料はこの質問に答えていません。",
        uncertainty="質問と言葉が重なる箇所を選んだもので、解釈はしていません。",
        label_uncertainty="短い単語表により、文脈を考慮せずに判定しました。",
        limitation="言語モデルを使わないローカルの代役が、箇所を選んで引用しただけのものです。",
    ),
}

STOP_WORDS = frozenset(
    """
    about after all also and any anyone are ask because been before but can cannot could did does everyone evidence
    few for from get gets give had has have her his how into its itself just like long longtemps look looking made
    make many matter may me more most much not off one only other our out over own people question review reviews
    run runs say says selected she should some source sources spend such summarise summarize summary tell than that
    the their them then there these they thing things think thinks this those too until users very was were what
    when where which while who why will with would you your
    aussi autre autres aux avec avis bien ces cet cette chez comme dans depuis des dire disent dit donc elle elles
    est fait font ils les leur leurs lui mais mes moi mon même nos notre nous ont par pas pensent peu plus pour que
    quel quelle quelles quels question qui quoi sans ses soit son sont sources sur tous tout toute très une vos
    votre vous être
    aber alle als auch auf aus bei bin bis das dass dem den der des die doch ein eine einem einen einer eines frage
    für habe haben hat ich ihr ihre ist kann man mehr mein mit nach nicht noch nur oder quellen sagen sehr sein sich
    sie sind und uns von vor war was wenn wer wie wir wird zu zum zur über
    """.split()  # noqa: SIM905 - a list of words reads best as words
)

TOPICS = {
    "battery": ("batter", " charg", "akku", "バッテリー", "充電"),
    "noise": (
        *(
            "noise",
            "noisy",
            "quiet",
            "silent",
            "whine",
            " loud",
            "bruit",
            "bruyant",
            "silenc",
            " laut ",
            "leise",
            "lärm",
        ),
        *("音", "静か", "うるさ"),
    ),
    "price": (
        *("price", " cost", "euros", "expensive", "cheap", "money", "prix", " cher ", " cher,", "preis", "teuer"),
        *("値段", "価格"),
    ),
    "support": ("support", "customer service", "service client", "kundendienst", "サポート"),
    "size": (" fits", "folds", " small", "carry", "travel", "camping", "emporte", "voyage", "折りたた", "キャンプ"),
}
"""What reviews are often asked about, by pieces of words: how a question meets evidence in another language."""

POSITIVE = (
    *("friendly", "great", "happy", "love", "nice", "quiet", "works well", "perfect", "part of every", "i wish every"),
    *("moves the air all night", "more than the box", "parfait", "silencieux", "joli", "fonctionne bien", "bon achat"),
    *("aussi bien", "personne ne l'entend", "toute la matinée", "freundlich", "leise", "zufrieden", "perfekt"),
    *("静か", "便利です", "丁寧", "気に入って"),
)

NEGATIVE = (
    *(
        "broken",
        "cracked",
        "flimsy",
        "gave up",
        "noisy",
        "stopped holding",
        "switches itself off",
        "whine",
        "is a lot for",
    ),
    *("no replacement", "save your money", "too expensive", "bruyant", "pénible", "défectueux", "dommage", "trop cher"),
    *("sans recevoir de réponse", "rachèterai pas", "defekt", "enttäuscht", "kaputt", "zu teuer"),
    *("不便", "弱いです", "足りません", "気になります", "高いので"),
)
