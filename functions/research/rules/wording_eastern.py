"""The service's sentences in Japanese and in Chinese, simplified and traditional."""
# ruff: noqa: RUF001 - full-width punctuation is how these languages are written

from research.rules.wording import Wording

JAPANESE = Wording(
    no_answer="選択された情報源には、この質問への答えがありません。",
    no_limitation="モデルはこの回答の限界を示しませんでした。",
    no_label="この情報源には有効なラベルが付けられませんでした。",
    disclosure="モデルの回答の一部は掲載していません：{items}。理由：{reasons}。",
    items={
        "findings": "知見",
        "suggestions": "検索の提案",
        "citations": "引用",
        "labels": "感情ラベル",
        "limitations": "限界の記述",
        "excluded_terms": "除外語",
    },
    reasons={
        "quotation": "引用箇所が情報源に見つからない",
        "number": "引用元の情報源にも質問にもない数値",
        "link": "情報源にないウェブアドレスまたはマークアップ",
        "alias": "本文中に情報源の内部名がある",
        "length": "空または長すぎる",
        "count": "許容数を超えている",
        "source": "選択されていない情報源",
        "label": "ラベルの欠落または矛盾（「unknown」と表示）",
    },
    comma="、",
    semicolon="；",
    counted="{what}（{number}件）",
)

SIMPLIFIED_CHINESE = Wording(
    no_answer="所选来源没有回答这个问题。",
    no_limitation="模型没有说明此回答的局限。",
    no_label="没有为此来源给出可用的标签。",
    disclosure="模型回复中的部分内容未予发布：{items}。原因：{reasons}。",
    items={
        "findings": "发现",
        "suggestions": "搜索建议",
        "citations": "引用",
        "labels": "情感标签",
        "limitations": "局限说明",
        "excluded_terms": "排除词",
    },
    reasons={
        "quotation": "在来源中找不到所引段落",
        "number": "数字未出现在所引来源或问题中",
        "link": "网址或标记未出现在来源中",
        "alias": "文本中含有来源的内部名称",
        "length": "内容为空或过长",
        "count": "超出允许的数量",
        "source": "来源不在所选范围内",
        "label": "标签缺失或相互矛盾，显示为“unknown”",
    },
    comma="、",
    semicolon="；",
    counted="{what}（{number}项）",
)

TRADITIONAL_CHINESE = Wording(
    no_answer="所選來源沒有回答這個問題。",
    no_limitation="模型沒有說明此回答的限制。",
    no_label="沒有為此來源提供可用的標籤。",
    disclosure="模型回覆中的部分內容未予發布：{items}。原因：{reasons}。",
    items={
        "findings": "發現",
        "suggestions": "搜尋建議",
        "citations": "引用",
        "labels": "情感標籤",
        "limitations": "限制說明",
        "excluded_terms": "排除詞",
    },
    reasons={
        "quotation": "在來源中找不到所引段落",
        "number": "數字未出現在所引來源或問題中",
        "link": "網址或標記未出現在來源中",
        "alias": "文字中含有來源的內部名稱",
        "length": "內容為空或過長",
        "count": "超出允許的數量",
        "source": "來源不在所選範圍內",
        "label": "標籤缺少或互相矛盾，顯示為「unknown」",
    },
    comma="、",
    semicolon="；",
    counted="{what}（{number}項）",
)
