"""The service's sentences in English, French, German, Spanish and Portuguese."""
# ruff: noqa: RUF001 - the typographic apostrophe is how French is written

from research.rules.wording import Wording

ENGLISH = Wording(
    no_answer="The selected sources do not answer this question.",
    no_limitation="The model stated no limitations of this answer.",
    no_label="No usable label was given for this source.",
    disclosure="Part of the model's reply was withheld: {items}. Reasons: {reasons}.",
    items={
        "findings": "findings",
        "suggestions": "query suggestions",
        "citations": "citations",
        "labels": "sentiment labels",
        "limitations": "limitations",
        "excluded_terms": "excluded terms",
    },
    reasons={
        "quotation": "quoted passage not found in the source",
        "number": "number not found in the cited sources or the question",
        "link": "web address or markup not found in the sources",
        "alias": "internal name of a source in the text",
        "length": "empty or too long",
        "count": "more than the permitted number",
        "source": "source outside the selection",
        "label": "missing or contradictory, shown as “unknown”",
    },
)

FRENCH = Wording(
    no_answer="Les sources sélectionnées ne répondent pas à cette question.",
    no_limitation="Le modèle n’a indiqué aucune limite à cette réponse.",
    no_label="Aucune étiquette exploitable n’a été donnée pour cette source.",
    disclosure="Une partie de la réponse du modèle n’a pas été publiée\u00a0: {items}. Motifs\u00a0: {reasons}.",
    items={
        "findings": "constats",
        "suggestions": "suggestions de requête",
        "citations": "citations",
        "labels": "étiquettes de sentiment",
        "limitations": "limites",
        "excluded_terms": "termes exclus",
    },
    reasons={
        "quotation": "passage cité introuvable dans la source",
        "number": "nombre absent des sources citées et de la question",
        "link": "adresse web ou balisage absent des sources",
        "alias": "nom interne d’une source dans le texte",
        "length": "texte vide ou trop long",
        "count": "nombre maximal dépassé",
        "source": "source hors de la sélection",
        "label": "étiquette manquante ou contradictoire, remplacée par «\u00a0unknown\u00a0»",
    },
    semicolon="\u00a0; ",
)

GERMAN = Wording(
    no_answer="Die ausgewählten Quellen beantworten diese Frage nicht.",
    no_limitation="Das Modell hat keine Einschränkungen dieser Antwort genannt.",
    no_label="Für diese Quelle wurde keine brauchbare Einordnung angegeben.",
    disclosure="Ein Teil der Antwort des Modells wurde nicht veröffentlicht: {items}. Gründe: {reasons}.",
    items={
        "findings": "Befunde",
        "suggestions": "Suchvorschläge",
        "citations": "Belege",
        "labels": "Stimmungseinordnungen",
        "limitations": "Einschränkungen",
        "excluded_terms": "ausgeschlossene Begriffe",
    },
    reasons={
        "quotation": "zitierte Stelle nicht in der Quelle gefunden",
        "number": "Zahl weder in den zitierten Quellen noch in der Frage enthalten",
        "link": "Webadresse oder Auszeichnung nicht in den Quellen enthalten",
        "alias": "interner Name einer Quelle im Text",
        "length": "leer oder zu lang",
        "count": "zulässige Anzahl überschritten",
        "source": "Quelle außerhalb der Auswahl",
        "label": "fehlend oder widersprüchlich, als „unknown“ ausgewiesen",
    },
)

SPANISH = Wording(
    no_answer="Las fuentes seleccionadas no responden a esta pregunta.",
    no_limitation="El modelo no indicó ninguna limitación de esta respuesta.",
    no_label="No se dio ninguna etiqueta utilizable para esta fuente.",
    disclosure="Una parte de la respuesta del modelo no se ha publicado: {items}. Motivos: {reasons}.",
    items={
        "findings": "hallazgos",
        "suggestions": "sugerencias de búsqueda",
        "citations": "citas",
        "labels": "etiquetas de sentimiento",
        "limitations": "limitaciones",
        "excluded_terms": "términos excluidos",
    },
    reasons={
        "quotation": "el pasaje citado no se encuentra en la fuente",
        "number": "el número no aparece en las fuentes citadas ni en la pregunta",
        "link": "la dirección web o el marcado no aparece en las fuentes",
        "alias": "nombre interno de una fuente en el texto",
        "length": "texto vacío o demasiado largo",
        "count": "se supera la cantidad permitida",
        "source": "fuente ajena a la selección",
        "label": "etiqueta ausente o contradictoria, mostrada como «unknown»",
    },
)

PORTUGUESE = Wording(
    no_answer="As fontes selecionadas não respondem a esta pergunta.",
    no_limitation="O modelo não indicou nenhuma limitação desta resposta.",
    no_label="Não foi dada nenhuma etiqueta utilizável para esta fonte.",
    disclosure="Uma parte da resposta do modelo não foi publicada: {items}. Motivos: {reasons}.",
    items={
        "findings": "conclusões",
        "suggestions": "sugestões de pesquisa",
        "citations": "citações",
        "labels": "etiquetas de sentimento",
        "limitations": "limitações",
        "excluded_terms": "termos excluídos",
    },
    reasons={
        "quotation": "trecho citado não encontrado na fonte",
        "number": "número ausente das fontes citadas e da pergunta",
        "link": "endereço web ou marcação ausente das fontes",
        "alias": "nome interno de uma fonte no texto",
        "length": "texto vazio ou longo demais",
        "count": "quantidade permitida excedida",
        "source": "fonte fora da seleção",
        "label": "etiqueta ausente ou contraditória, apresentada como “unknown”",
    },
)
