"""Numbers by value (rule 3): what a claim says in figures must be in what it cites.

A number is a key: canonical decimal digits ("1234.5"), a leading "-" if negative, a trailing "%" if a percentage. A
claim *demands* one key of each number it states; a source *supplies* every key that its numbers stand for. Where it is
uncertain what is meant, a source supplies the weaker readings too (12 for "12 %" and "-12", 2 for "2 million"), while a
claim demands exactly what it says ("12 %" is not proved by 12 persons, "2 million" not by 2 billion).

- Separators: "1,234.5", "1.234,5", "1 234,5", "1'234.5", "12,34,567" and their no-break and thin spaces.
- "1.234" and "1,234" mean what they mean in the language of the text where that is known to be settled; otherwise
  both values. Written alike they always match.
- A name ("B12", "iPhone 15", "COVID-19") is its letters and digits, however they are joined: "b12". Digits that follow
  letters directly are a name alone, so that "B12" does not prove 12; but "v2" is version 2.
- A date ("12.05.2024", "2024-05-12") is its parts. Any other row of figures ("192.168.0.1") is one word of its own.
- Digits of every script count, and on the side of the source numerals in Han characters. Superscripts do not.
- English number words count, "one" not where it is a pronoun ("no one", "one of").
"""

import re

_GROUPED = (
    r"(?<![0-9][.,' \u2009\u00a0\u202f])[1-9][0-9]{0,2}(?P<mark>[.,' \u2009\u00a0\u202f])[0-9]{3}"
    r"(?:(?P=mark)[0-9]{3}){0,8}(?!(?P=mark)?[0-9])(?:(?!(?P=mark))[.,][0-9]+)?(?![.,']?[0-9])"
)
_LAKH = r"(?<![0-9][.,'])[1-9][0-9]?(?:,[0-9]{2}){1,6},[0-9]{3}(?![,0-9])(?:\.[0-9]+)?(?![.,']?[0-9])"
_DECIMAL = r"(?<![0-9][.,'])[0-9]+[.,][0-9]+(?![.,']?[0-9])"
_FRACTION_ALONE = r"(?<![\w.])\.[0-9]+(?![.,']?[0-9])"
_ROW = r"[0-9]+(?:\.[0-9]+){2,}"
_FIGURES = re.compile(
    rf"(?P<grouped>{_GROUPED})|(?P<lakh>{_LAKH})|(?P<decimal>{_DECIMAL}|{_FRACTION_ALONE})|(?P<row>{_ROW})|[0-9]+"
)
_DATE = re.compile(r"[0-9]{1,2}\.[0-9]{1,2}\.(?:[0-9]{4}|[0-9]{2})|[0-9]{4}\.[0-9]{1,2}\.[0-9]{1,2}")
