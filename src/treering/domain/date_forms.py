"""The forms in which a date is written, in digits, English, Spanish and Chinese.

For ``said_dates``. A form that needs a preposition beside it has the group ``lead``. How each is
read: ``date_readers``.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from treering.domain import date_readers as read

_MONTH_EN: Final = f"(?P<month>{'|'.join(read.MONTHS_EN)}|(?:{'|'.join(read.SHORT_EN)})\\b\\.?)"
_MONTH_ES: Final = f"(?P<month>{'|'.join(read.MONTHS_ES)}|setiembre)"
_WEEKDAY_EN: Final = f"(?P<weekday>{'|'.join(read.DAYS_EN)})"
_WEEKDAY_ES: Final = f"(?P<weekday>{'|'.join(read.DAYS_ES)}|miercoles|sabado)"
_YEAR: Final = r"(?P<year>(?:19|20)\d\d)"
_DAY_NUMBER: Final = r"(?P<day>[0-3]?\d)"
_COUNT: Final = f"(?P<count>\\d{{1,3}}|{'|'.join(read.COUNTS)})"
_COUNT_ZH: Final = "(?P<count>\\d{1,2}|[一二两三四五六七八九十]{1,3})"
_MONTH_AFTER_ZH: Final = "(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九]) ?月(?!月|球|亮|饼|经|薪|票)"
_MONTH_ZH: Final = f"(?<![\\d一二三四五六七八九十个]){_MONTH_AFTER_ZH}"
_DAY_ZH: Final = " ?(?P<day>[0-3]?\\d|[一二三]?十?[一二三四五六七八九十]) ?[日号]"  # many set blanks around numbers
_OTHER_DAY_ES: Final = _WEEKDAY_ES.replace("weekday", "other")
_NO_DAY_ZH: Final = "(?![一二三四五六日天边围期])"
# Chinese sets no blank before and behind a date; another letter makes it a part of something.
_NO_NUMBER: Final = r"(?<![A-Za-z0-9_\u00c0-\u024f.,:/-])"
_NO_MORE: Final = r"(?![A-Za-z0-9_\u00c0-\u024f-])(?!\.\d)"
# A number in front of a plural counts something: "in 2000 files".
_NO_PLURAL: Final = r"(?! (?!this\b|was\b|is\b|does\b|has\b|as\b|us\b|its\b)[a-z]+s\b)"
_LEADS_EN: Final = (
    r"\b(?P<lead>in|since|during|until|till|before|after|by|from|through|between|and|to|of|for|around|as of|late"
    r"|early|mid|"
    r"last|next|this|past|back in|prior to|throughout)"
)
_LEADS_ES: Final = (
    r"\b(?P<lead>en|desde|durante|hasta|antes de|después de|despues de|para|entre|y|a|de|del|a partir de|"
    r"a principios de|a finales de|a mediados de|este|en el mes de|el pasado|el próximo|pasado|próximo)"
)


class Form(NamedTuple):
    """One way to write a date: what it looks like, and how it is read; None where it is no date after all."""

    pattern: str
    read: read.Reader


_UNITS_EN: Final = "(?P<unit>day|week|month|year)s?\\b"
_PERIOD_EN: Final = "(?P<unit>week|month|year)\\b"
_UNITS_ES: Final = "(?P<unit>días?|dias?|semanas?|mes|meses|años?)\\b"
_UNIT_ZH: Final = "(?P<unit>天|周|星期|礼拜|月|年)"
_WEEK_ZH: Final = "(?P<unit>周|星期|礼拜)"
_NOT_IN_WORD_ZH: Final = "(?<![晚早马线网地海路车班身以上下])"

FORMS: Final = (
    # Digits.
    Form(rf"{_NO_NUMBER}{_YEAR}-(?P<month>[01]\d)-(?P<day>[0-3]\d)(?=t\d|{_NO_MORE})", read.full),
    Form(rf"{_NO_NUMBER}{_YEAR}/(?P<month>[01]?\d)/{_DAY_NUMBER}{_NO_MORE}(?!/)", read.full),
    Form(rf"{_NO_NUMBER}{_YEAR}-(?P<month>0[1-9]|1[0-2]){_NO_MORE}", read.year_and_month),
    Form(rf"{_NO_NUMBER}{_YEAR}(?= ?[-–—~到至] ?(?:19|20)\d\d(?![\d.]))", read.full),
    Form(rf"(?<=(?:19|20)\d\d[-–—~到至]){_YEAR}年?(?![\w.])", read.full),
    Form(rf"{_NO_NUMBER}(?P<one>[0-3]?\d)/(?P<two>[0-3]?\d)/{_YEAR}{_NO_MORE}(?!/)", read.slashed),
    # English.
    Form(rf"\b{_MONTH_EN} {_DAY_NUMBER}(?:st|nd|rd|th)?(?:,? {_YEAR})?{_NO_MORE}(?!:)", read.full),
    Form(rf"{_NO_NUMBER}{_DAY_NUMBER}(?:st|nd|rd|th)? (?:of )?{_MONTH_EN}(?:,? {_YEAR})?{_NO_MORE}", read.full),
    Form(rf"\b{_MONTH_EN},? (?:of )?{_YEAR}{_NO_MORE}", read.full),
    Form(rf"{_LEADS_EN} {_MONTH_EN}{_NO_MORE}(?! \d)(?! be\b| have\b| not\b| or may not\b)", read.full),
    Form(
        rf"\b(?P<lead>in|since|during|until|till|before|after|by|from|through|throughout|back in|as of|prior to"
        rf"|between|and|"
        rf"to|of|for|late|early) (?:the year )?{_YEAR}{_NO_MORE}{_NO_PLURAL}(?! ?[%$€])",
        read.full,
    ),
    Form(r"\b(?:today|this (?:morning|afternoon|evening)|tonight)\b", read.days(0)),
    Form(r"\b(?:yesterday|last night)\b", read.days(-1)),
    Form(r"\btomorrow\b", read.days(1)),
    Form(r"\bthe day before yesterday\b", read.days(-2)),
    Form(r"\bthe day after tomorrow\b", read.days(2)),
    Form(rf"\b(?:last|the previous) {_PERIOD_EN}", read.units(-1)),
    Form(rf"\bthis {_PERIOD_EN}", read.units(0)),
    Form(rf"\bnext {_PERIOD_EN}", read.units(1)),
    Form(r"\b(?:last|the previous) quarter\b", read.quarter(-1)),
    Form(r"\bthis quarter\b", read.quarter(0)),
    Form(r"\bnext quarter\b", read.quarter(1)),
    Form(r"\blast weekend\b", read.weekend(-1)),
    Form(r"\bthis weekend\b", read.weekend(0)),
    Form(r"\bnext weekend\b", read.weekend(1)),
    Form(rf"\b{_COUNT}(?: of)? {_UNITS_EN} ago\b", read.ago),
    Form(
        rf"\b(?:in|during|over|within|for|from)? ?the (?:last|past|previous) {_COUNT}(?: of)? {_UNITS_EN}",
        read.lately,
    ),
    Form(rf"\b(?:last|past) (?P<count>\d{{1,3}}|two|three|four|five|six|seven|ten) {_UNITS_EN}", read.lately),
    Form(rf"\bthe past {_PERIOD_EN}", read.lately),
    Form(rf"\b(?:in|during|over|within) the next {_COUNT} {_UNITS_EN}", read.coming),
    Form(rf"\blast {_WEEKDAY_EN}\b", read.last_weekday),
    Form(rf"\bnext {_WEEKDAY_EN}\b", read.next_weekday),
    Form(
        rf"\b(?P<lead>on|since|by|until|till|before|after|from) {_WEEKDAY_EN}\b(?!s\b| (?:night|morning)s\b)",
        read.on_weekday,
    ),
    Form(rf"\bthis {_WEEKDAY_EN}\b", read.on_weekday),
    # Spanish.
    Form(rf"{_NO_NUMBER}{_DAY_NUMBER}(?:º|\.º)? de {_MONTH_ES}(?: del? (?:año )?{_YEAR})?{_NO_MORE}", read.full),
    Form(rf"\b{_MONTH_ES} (?:del? )?(?:año )?{_YEAR}{_NO_MORE}", read.full),
    Form(rf"{_LEADS_ES} {_MONTH_ES}{_NO_MORE}(?! del? \d)", read.full),
    Form(
        rf"\b(?P<lead>en|desde|durante|hasta|antes de|antes del|después de|después del|para|entre|a partir de|de|del) "
        rf"(?:el )?(?:año )?{_YEAR}{_NO_MORE}(?! (?!nos\b|los\b|las\b|es\b|mis\b|sus\b|tus\b)[a-zñáéíóú]+s\b)(?! "
        rf"?[%$€])",
        read.full,
    ),
    Form(r"\bhoy\b", read.days(0)),
    Form(r"\b(?:ayer|anoche)\b", read.days(-1)),
    Form(r"\b(?:anteayer|antes de ayer|antier)\b", read.days(-2)),
    Form(r"(?<!la )(?<!esta )(?<!cada )(?<!una )(?<!de )(?<!por )\bmañana\b(?! por la tarde siguiente)", read.days(1)),
    Form(r"\bpasado mañana\b", read.days(2)),
    Form(r"\b(?:el|la) (?P<unit>semana|mes|año) (?:pasad[oa]|anterior)\b", read.units(-1)),
    Form(r"\b(?:la pasada|el pasado) (?P<unit>semana|mes|año)\b", read.units(-1)),
    Form(r"\best[ea] (?P<unit>semana|mes|año)\b", read.units(0)),
    Form(r"\b(?:el|la) (?P<unit>semana|mes|año) (?:que viene|próxim[oa]|siguiente)\b", read.units(1)),
    Form(r"\b(?:el próximo|la próxima|próximo|próxima) (?P<unit>semana|mes|año)\b", read.units(1)),
    Form(r"\b(?:el )?(?:fin de semana pasado|pasado fin de semana)\b", read.weekend(-1)),
    Form(r"\beste fin de semana\b", read.weekend(0)),
    Form(rf"\bhace {_COUNT} {_UNITS_ES}", read.ago),
    Form(rf"\b(?:en |durante )?(?:los|las) (?:últim|ultim)[oa]s {_COUNT} {_UNITS_ES}", read.lately),
    Form(r"\b(?:la última|el último) (?P<unit>semana|mes|año)\b", read.lately),
    Form(rf"\bel (?:{_WEEKDAY_ES} pasado|pasado {_OTHER_DAY_ES})\b", read.named_day(-1)),
    Form(rf"\bel (?:próximo {_WEEKDAY_ES}|{_OTHER_DAY_ES} que viene)\b", read.named_day(1)),
    Form(
        rf"\b(?P<lead>el|desde el|hasta el|antes del|después del|para el|este) {_WEEKDAY_ES}\b"
        r"(?! (?:pasado|que viene|\d))",
        read.on_weekday,
    ),
    # Chinese.
    Form(f"(?<!\\d){_YEAR} ?年(?: ?{_MONTH_AFTER_ZH}份?(?:{_DAY_ZH})?)?(?!多|间)", read.full),
    Form(f"{_MONTH_ZH}{_DAY_ZH}", read.full),
    Form(f"(?<!年){_MONTH_ZH}(?! ?\\d| ?[一二三两几十]?十?[一二三四五六七八九十两几] ?[日号次回])份?", read.full),
    Form(f"(?P<past>去年|前年|今年|明年) ?{_MONTH_AFTER_ZH}份?(?:{_DAY_ZH})?", read.in_year),
    Form("今天|今日|今晚|今早", read.days(0)),
    Form("昨天|昨日|昨晚", read.days(-1)),
    Form("(?<!目)(?<!以)前天(?!线|地)", read.days(-2)),
    Form("明天|明日", read.days(1)),
    Form("(?<!以)(?<!之)后天", read.days(2)),
    Form(f"{_NOT_IN_WORD_ZH}上个?{_WEEK_ZH}{_NO_DAY_ZH}", read.units(-1)),
    Form(f"(?:本|这个?){_WEEK_ZH}{_NO_DAY_ZH}", read.units(0)),
    Form(f"{_NOT_IN_WORD_ZH}下个?{_WEEK_ZH}{_NO_DAY_ZH}", read.units(1)),
    Form(f"{_NOT_IN_WORD_ZH}上个?(?P<unit>月)(?!球|亮)", read.units(-1)),
    Form("(?:本|这个)(?P<unit>月)", read.units(0)),
    Form(f"{_NOT_IN_WORD_ZH}下个?(?P<unit>月)(?!球|亮)", read.units(1)),
    Form("去年", read.years(-1)),
    Form("前年", read.years(-2)),
    Form("今年", read.years(0)),
    Form("明年", read.years(1)),
    Form("上(?:个)?季度", read.quarter(-1)),
    Form("(?:本|这个?)季度", read.quarter(0)),
    Form(f"{_COUNT_ZH}(?:个(?=月|星期|礼拜)|(?=天|周|年|星期|礼拜)){_UNIT_ZH}(?:以|之)?前(?!天)", read.ago),
    Form(f"(?:最近|过去|近)(?:的)?{_COUNT_ZH}个?(?P<unit>天|周|星期|礼拜|月|年)", read.lately),
    Form(f"{_NOT_IN_WORD_ZH}上个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", read.weekday_of(-1)),
    Form(f"{_NOT_IN_WORD_ZH}下个?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", read.weekday_of(1)),
    Form("(?:本|这个?)(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", read.weekday_of(0)),
    Form("(?<![上下本这个每隔])(?:周|星期|礼拜)(?P<weekday>[一二三四五六日])(?![至到围])", read.on_weekday),
)  # fmt: skip
