"""Rules about text that would set itself above its reader: it leaves the rules, speaks for the owner, forges marks."""

from __future__ import annotations

from typing import Final

from treering.domain.order_terms import (
    AS_OWNER,
    CALL,
    FORGED,
    OVERRIDE,
    STATUS,
    WRITTEN_EN,
    WRITTEN_ES,
    WRITTEN_ZH,
    Rule,
)

AUTHORITY: Final = (
    # Orders to leave the rules. An earlier or a general rule is meant: "ignore this rule" is what a linter's page says.
    Rule(
        OVERRIDE,
        ("ignor", "disregard", "forget", "overrid", "bypass", "not follow", "stop following", "pay no attention"),
        r"\b(?:(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|bypass(?:ing)?|pay no attention to|(?:do not|don't"
        r"|never) "
        r"follow|stop following|override)(?: to)?(?: (?:all|any|every|everything|of|about|the|these|those))*? "
        r"(?:previous|prior|earlier|preceding|above|former|foregoing|system|original|initial|your|safety)(?: "
        r"\w+){0,3}? "
        rf"(?:{WRITTEN_EN}|safety|filters|restrictions|context above)"
        rf"|(?:ignore|disregard|forget) (?:the|all|any|all the|all of the|these|those) {WRITTEN_EN} "
        r"(?:above|before|you (?:were|are)|so far|given))\b",
    ),
    Rule(
        OVERRIDE,
        ("ignore ", "disregard ", "forget "),
        r"(?:^|[.!?:;\n\"'(>-] ?|\bplease |\bnow )(?:ignore|disregard|forget) (?:the|all|any|these)(?: \w+){0,2}? "
        rf"{WRITTEN_EN}\b(?! embedded| inside| in the| that come)",
    ),
    Rule(
        OVERRIDE,
        ("ignore ", "disregard ", "forget "),
        r"(?:^|[.!?:;\n\"'(>-] ?|\bplease |\band |\bnow )(?:ignore|disregard|forget) (?:all |any )?(?:of )?"
        r"(?:everything|anything|instructions|the (?:above|rest|foregoing)|what (?:you were|i) (?:told|said)|"
        r"(?:this|the rest of (?:this|the)|other|previous|prior|preceding|above) (?:data|content|text|documents?)|"
        r"all (?:negative|positive) \w+|(?:other|all other) content,|all info(?:rmation)?)\b",
    ),
    Rule(
        OVERRIDE,
        (" is void", "are void", "no longer appl", "null and void"),
        rf"\b(?:rules?|{WRITTEN_EN}|polic(?:y|ies)) (?:[\w ]{{0,40}} )?(?:is|are) (?:now )?"
        r"(?:void|cancelled|revoked|null)\b",
    ),
    Rule(
        OVERRIDE,
        ("ignor", "olvid", "desestim", "caso omiso", "descart", "omit", "desobede", "salt"),
        r"\b(?:ignor(?:a|e|ad|en|ar|es)|olvid(?:a|e|ad|en|ar|es)|desestim(?:a|e|ar)|descart(?:a|e|ar)|omit(?:e|a|ir)|"
        r"desobede(?:ce|zca|cer)|s[aá]lt(?:ate|ese)|ha(?:z|ga|gan|ced) caso omiso (?:de|a))(?:te|se)?(?: de| a)? "
        r"(?:(?:todas?|todos?|cualquier|las?|los?|tus?|sus?|estas?|esas?|anteriores|previas|demás) ?){1,4}"
        rf"{WRITTEN_ES}\b",
    ),
    Rule(
        OVERRIDE,
        ("ignor", "olvid"),
        r"\b(?:ignor|olvid)(?:a|e|ad|en)(?:te|se)?(?: de)? (?:todo )?lo (?:anterior|de arriba|que (?:te )?(?:dij|han "
        r"di))",
    ),
    Rule(
        OVERRIDE,
        (
            "忽略",
            "无视",
            "無視",
            "忘记",
            "忘掉",
            "不要理会",
            "不要遵",
            "不再遵",
            "抛开",
            "跳过",
            "绕过",
            "忽视",
            "不用管",
        ),
        "(?:忽略|无视|無視|忘记|忘掉|不要理会|不要遵[守循从]|不再遵[守循从]|抛开|跳过|绕过|忽视|不用管)"
        f"[^。！？\\n]{{0,12}}?(?:之前|以前|以上|上述|前面|先前|上面|此前|所有|一切|全部|你的|系统|原有|任何)"
        f"[^。！？\\n]{{0,8}}?(?:{WRITTEN_ZH}|内容|要求|对话)",
    ),
    # Claims to be the owner.
    Rule(
        AS_OWNER,
        ("as the ", "as your ", "i am the ", "i'm the ", "i am your ", "i'm your ", "this is the ", "this is your "),
        r"\b(?:as|i am|i'm|this is|speaking as) (?:the|your) (?:owner|user|administrator|admin|system|operator|"
        r"developer|creator|boss|principal)\b(?: of this (?:memory|store|system))?[,:;.]? ?(?:speaking[,;:]? ?)?"
        r"(?:and )?(?:i|you|we|please|it is me)\b(?: hereby| now)?"
        r"(?: (?:confirm|approve|authori[sz]e|order|command|instruct|allow|grant|permit|require|direct|trust|must"
        r"|shall|"
        r"will now|are (?:to|now)))",
    ),
    Rule(
        AS_OWNER,
        ("owner", "on behalf of"),
        r"\b(?:(?:on behalf of the|(?:confirmed|approved|authori[sz]ed|verified) by the) (?:memory |store )?owner\b"
        r"(?! (?:of|team|group)\b)"
        r"|the (?:memory |store )?owner (?:has |have |hereby |already |explicitly |fully ){1,3}"
        r"(?:confirm|approv|authori[sz]|consent|permit)(?:ed|s|ted)\b)",
    ),
    Rule(
        AS_OWNER,
        ("propietari", "dueñ", "administrador", "usuari", "titular"),
        r"\b(?:(?:como|soy) (?:el |la |tu )?(?:propietari[oa]|dueñ[oa]|administradora?|titular)\b[^.!?\n]{0,30}?,? ?"
        r"(?:yo )?(?:confirmo|autorizo|apruebo|ordeno|exijo|permito|te (?:ordeno|autorizo|pido))\b"
        r"|(?:el|la|tu) (?:propietari[oa]|dueñ[oa]|titular) (?:ya )?(?:lo |la |ha |han )+"
        r"(?:confirm|aprob|autoriz|confirma)(?:ado|ada)?\b"
        r"|(?:confirmad|aprobad|autorizad)[oa]s? por (?:el|la|su) (?:propietari[oa]|dueñ[oa])\b)",
    ),
    Rule(
        AS_OWNER,
        ("所有者", "主人", "管理员", "拥有者", "机主"),
        "(?:(?:作为|我是|以|身为)(?:本|该|你的|这个)?(?:系统|记忆|记忆库)?的?(?:所有者|主人|管理员|拥有者|机主)"
        "(?:的?身份)?"
        "[^。！？\\n]{0,12}?(?:确认|批准|授权|命令|要求|同意|允许|指示)"
        "|(?:所有者|主人|拥有者|机主)(?:本人)?(?:已经?|现已)(?:亲自)?(?:确认|批准|授权|同意))",
    ),
    # Claims of what only the program says.
    Rule(
        STATUS,
        ("trust", "confirm", "verif", "confian", "信任", "确认", "已验证", "trusted"),
        r"(?:\btrust(?:_level| level)?[\"']? ?[:=] ?[\"']?(?:owner|user_confirmed)\b"
        r"|\bverification[\"']? ?[:=] ?[\"']?(?:user_)?confirmed\b"
        r"|\buser_confirmed\b"
        r"|\b(?:mark|flag|set|treat|store|save|record|consider|accept) (?:it|this|that|them|these|the)\b[^.!?\n]{0,40}?"
        r"\b(?:as )?(?:confirmed|owner-?(?:approved|confirmed)|(?:the )?owner(?:'s)? trust|verified by the)\b"
        r"|\b(?:raise|increase|elevate) (?:its|the|this) trust\b"
        r"|\bconfianza ?[:=] ?(?:propietari[oa]|dueñ[oa])\b"
        r"|\bm[aá]rc(?:a|ue|ar)(?:lo|la|los|las)?(?: \w+){0,4}? (?:como )?(?:confirmad|verificad)[oa]s?\b"
        r"|(?:信任(?:级别|度)?[:：=] ?(?:所有者|主人|最高)|标记[为成](?:已?确认|已验证|可信)|(?:设为|视为)(?:已确认"
        r"|可信)))",
    ),
    # Tool calls; a name of ours in an order, and the marks in which calls are written.
    Rule(
        CALL,
        ("memory_", "mark_outdated", "tool", "function"),
        r"(?:\b(?:call|use|invoke|run|execute|trigger|llama(?:r)? a|usa|utiliza|ejecuta|invoca|调用|使用|执行|运行)"
        r" ?(?:the |your |la herramienta |el |工具 ?)?(?:tool |function )?"
        r"(?:memory_[a-z]{3,}|mark_outdated)\b"
        r"|\byou (?:must|should|have to|need to|are required to) (?:now |immediately |first |also )*"
        r"(?:call|invoke|execute|run) (?:the |your )?(?!this)[\w-]+ tool\b|\bcall the \w+ tool (?:without|now"
        r"|immediately)\b"
        r"|<(?:antml:)?(?:function_calls?|invoke|tool_call|tool_use|tool_result|tool_code)\b"
        r"|\[/?tool_calls?\]|<\|(?:tool_call|python_tag|plugin)\w*\|>"
        r"|[\"'](?:tool_calls|tool_use)[\"'] ?:)",
    ),
    Rule(
        CALL,
        ("调用", "执行", "运行"),
        "(?:必须|立即|现在|马上|请)(?:先|就|立刻|立即)?(?:调用|执行|运行)[^。！？,，\\n]{0,10}?(?:工具|memory_)",
    ),
    Rule(
        CALL,
        ("herramienta", "función", "comando"),
        r"\b(?:debes?|tienes? que|hay que) (?:ahora |ya |inmediatamente )?(?:llamar|invocar|ejecutar|usar)\b"
        r"[^.!?\n]{0,20}?\b(?:herramienta|comando)\b",
    ),
    # Marks of roles and of data.
    Rule(
        FORGED,
        (
            "<|",
            "[inst",
            "[/inst",
            "<<sys",
            "[system",
            "(system)",
            "begin",
            "end ",
            "<system",
            "</",
            "#system",
            "system",
        ),
        r"(?:<\|(?:im_start|im_end|system|user|assistant|developer|endoftext|eot_id|start_header_id|end_header_id|"
        r"begin_of_text|channel|message|start|end)\|>|\[/inst\]|<</?sys>>"
        r"|\[/?(?:system|developer)(?: (?:message|prompt|note|override|instruction)s?)?\]"
        r"|</?(?:system|developer)(?:[-_ ](?:message|prompt|instructions?|reminder|override))?>"
        r"|</(?:untrusted|external|quoted|retrieved|memory|memories|passages?|evidence)(?:[-_ ]\w+){0,3}>"
        r"|(?:--|==|##|<<|\[) ?/?(?:begin|end|start|stop)(?: of)? "
        r"(?:the )?(?:system|developer|untrusted|external|quoted|retrieved|user|memory|data|context|assistant)"
        r"(?: (?:prompt|message|input|instructions?|data|content|material|text|block|context|output|document)s?){0,2}"
        r" ?(?:--|==|##|>>|\]|$|\n)"
        r"|(?:^|\n) ?[#>]{0,4} ?(?:new |updated |important )?system (?:message|override|instruction|notice)s?"
        r" ?[:\]-]"
        r"|(?:^|\n) ?(?:[#>]{1,4} ?system ?:|system ?: ?(?:focus|ignore|you\b|from now|only|always|never|do not|please|"
        r"the user|override|print|output|reply|respond|answer|new)))",
    ),
    Rule(
        FORGED,
        ("系统", "外部", "数据", "fin de", "sistema"),
        "(?:[\\[【<](?:系统|开发者)(?:消息|提示|指令|提示词|通知)?[\\]】>]|(?:^|\n) ?(?:系统(?:消息|提示|指令|提示词"
        "|通知))[:：]"
        "|[-=#]{2} ?(?:(?:外部|引用|不可信)(?:内容|数据|材料|资料)|数据) ?(?:结束|开始|到此为止)"
        r"|(?:^|\n) ?(?:mensaje|instrucciones?|aviso) del? sistema ?:"
        r"|[-=#]{2} ?fin (?:de |del )(?:los )?(?:datos|contenido|material|texto|mensaje)(?: extern[oa]s?)? "
        r"?[-=#]{2})",
    ),
)
