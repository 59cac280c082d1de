"""The ways in which text gives orders to whoever reads it, in English, Spanish and Chinese: rules for ``instructions``.

A rule is as wide as a corpus of 3,706 Markdown files and 42,000 turns of conversations lets it be: what people write to
each other ("ignore this rule", "you must run the command") stays out, and what quotes such an order comes in.
"""

from __future__ import annotations

from typing import Final

from treering.domain.named import NamedTuple


class Rule(NamedTuple):
    """One way in which text gives orders.

    Attributes:
        why: the reason that is given.
        hints: words in lower case, one of which stands in every text that the pattern matches.
        pattern: what is looked for in folded text.
    """

    why: str
    hints: tuple[str, ...]
    pattern: str


_OVERRIDE: Final = "it says to ignore instructions or rules"
_AS_OWNER: Final = "it claims to speak for the owner"
_STATUS: Final = "it claims a trust or a confirmation"
_CALL: Final = "it says to call a tool"
_FORGED: Final = "it holds marks that part an agent's instructions from data"
_ADDRESS: Final = "it addresses an agent that reads it"
_ROLE: Final = "it gives an agent a new role or new rules"
_HIDE: Final = "it asks to keep something from the user, or to tell what is secret"
_SEND: Final = "it says to send something away"
_MEMORIES: Final = "it says to change other memories"
HIDDEN: Final = "it holds letters that no reader sees"

_WRITTEN_EN: Final = "(?:instructions?|directions?|directives|prompts?|guidelines|rules|commands|orders|constraints)"
_WRITTEN_ES: Final = "(?:instrucci(?:ones|ón)|indicaciones|órdenes|ordenes|directrices|directivas|reglas|normas)"
_WRITTEN_ZH: Final = "(?:指令|指示|规则|規則|提示|说明|說明|命令|约束|限制|设定)"
_AGENT_EN: Final = (
    "(?:assistants?|agents?|ai|ais|llms?|language models?|chat ?bots?|claude|chatgpt|gpt|copilot|gemini|codex|models?)"
)
_AGENT_ES: Final = "(?:asistentes?|agentes?|ia|modelos?(?: de lenguaje)?|claude|chatgpt|gpt|copilot|gemini|codex)"
_AGENT_ZH: Final = "(?:ai|人工智能|智能|语言)?(?:助手|助理|智能体|机器人|claude|chatgpt|gpt|(?<=ai)代理|(?<=语言)模型)"
_OWNER_EN: Final = "(?:the )?(?:owner|user|administrator|admin|operator|developer)"

RULES: Final = (
    # Orders to leave the rules. An earlier or a general rule is meant: "ignore this rule" is what a linter's page says.
    Rule(
        _OVERRIDE,
        ("ignor", "disregard", "forget", "overrid", "bypass", "not follow", "stop following", "pay no attention"),
        r"\b(?:(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|bypass(?:ing)?|pay no attention to|(?:do not|don't"
        r"|never) "
        r"follow|stop following|override)(?: to)?(?: (?:all|any|every|everything|of|about|the|these|those))*? "
        r"(?:previous|prior|earlier|preceding|above|former|foregoing|system|original|initial|your|safety)(?: "
        r"\w+){0,3}? "
        rf"(?:{_WRITTEN_EN}|safety|filters|restrictions|context above)"
        rf"|(?:ignore|disregard|forget) (?:the|all|any|all the|all of the|these|those) {_WRITTEN_EN} "
        r"(?:above|before|you (?:were|are)|so far|given))\b",
    ),
    Rule(
        _OVERRIDE,
        ("ignore ", "disregard ", "forget "),
        r"(?:^|[.!?:;\n\"'(>-] ?|\bplease |\bnow )(?:ignore|disregard|forget) (?:the|all|any|these)(?: \w+){0,2}? "
        rf"{_WRITTEN_EN}\b(?! embedded| inside| in the| that come)",
    ),
    Rule(
        _OVERRIDE,
        ("ignore ", "disregard ", "forget "),
        r"(?:^|[.!?:;\n\"'(>-] ?|\bplease |\band |\bnow )(?:ignore|disregard|forget) (?:all |any )?(?:of )?"
        r"(?:everything|anything|instructions|the (?:above|rest|foregoing)|what (?:you were|i) (?:told|said)|"
        r"(?:this|the rest of (?:this|the)|other|previous|prior|preceding|above) (?:data|content|text|documents?)|"
        r"all (?:negative|positive) \w+|(?:other|all other) content,|all info(?:rmation)?)\b",
    ),
    Rule(
        _OVERRIDE,
        (" is void", "are void", "no longer appl", "null and void"),
        rf"\b(?:rules?|{_WRITTEN_EN}|polic(?:y|ies)) (?:[\w ]{{0,40}} )?(?:is|are) (?:now )?"
        r"(?:void|cancelled|revoked|null)\b",
    ),
    Rule(
        _OVERRIDE,
        ("ignor", "olvid", "desestim", "caso omiso", "descart", "omit", "desobede", "salt"),
        r"\b(?:ignor(?:a|e|ad|en|ar|es)|olvid(?:a|e|ad|en|ar|es)|desestim(?:a|e|ar)|descart(?:a|e|ar)|omit(?:e|a|ir)|"
        r"desobede(?:ce|zca|cer)|s[aá]lt(?:ate|ese)|ha(?:z|ga|gan|ced) caso omiso (?:de|a))(?:te|se)?(?: de| a)? "
        r"(?:(?:todas?|todos?|cualquier|las?|los?|tus?|sus?|estas?|esas?|anteriores|previas|demás) ?){1,4}"
        rf"{_WRITTEN_ES}\b",
    ),
    Rule(
        _OVERRIDE,
        ("ignor", "olvid"),
        r"\b(?:ignor|olvid)(?:a|e|ad|en)(?:te|se)?(?: de)? (?:todo )?lo (?:anterior|de arriba|que (?:te )?(?:dij|han "
        r"di))",
    ),
    Rule(
        _OVERRIDE,
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
        f"[^。！？\\n]{{0,8}}?(?:{_WRITTEN_ZH}|内容|要求|对话)",
    ),
    # Claims to be the owner.
    Rule(
        _AS_OWNER,
        ("as the ", "as your ", "i am the ", "i'm the ", "i am your ", "i'm your ", "this is the ", "this is your "),
        r"\b(?:as|i am|i'm|this is|speaking as) (?:the|your) (?:owner|user|administrator|admin|system|operator|"
        r"developer|creator|boss|principal)\b(?: of this (?:memory|store|system))?[,:;.]? ?(?:speaking[,;:]? ?)?"
        r"(?:and )?(?:i|you|we|please|it is me)\b(?: hereby| now)?"
        r"(?: (?:confirm|approve|authori[sz]e|order|command|instruct|allow|grant|permit|require|direct|trust|must"
        r"|shall|"
        r"will now|are (?:to|now)))",
    ),
    Rule(
        _AS_OWNER,
        ("owner", "on behalf of"),
        r"\b(?:(?:on behalf of the|(?:confirmed|approved|authori[sz]ed|verified) by the) (?:memory |store )?owner\b"
        r"(?! (?:of|team|group)\b)"
        r"|the (?:memory |store )?owner (?:has |have |hereby |already |explicitly |fully ){1,3}"
        r"(?:confirm|approv|authori[sz]|consent|permit)(?:ed|s|ted)\b)",
    ),
    Rule(
        _AS_OWNER,
        ("propietari", "dueñ", "administrador", "usuari", "titular"),
        r"\b(?:(?:como|soy) (?:el |la |tu )?(?:propietari[oa]|dueñ[oa]|administradora?|titular)\b[^.!?\n]{0,30}?,? ?"
        r"(?:yo )?(?:confirmo|autorizo|apruebo|ordeno|exijo|permito|te (?:ordeno|autorizo|pido))\b"
        r"|(?:el|la|tu) (?:propietari[oa]|dueñ[oa]|titular) (?:ya )?(?:lo |la |ha |han )+"
        r"(?:confirm|aprob|autoriz|confirma)(?:ado|ada)?\b"
        r"|(?:confirmad|aprobad|autorizad)[oa]s? por (?:el|la|su) (?:propietari[oa]|dueñ[oa])\b)",
    ),
    Rule(
        _AS_OWNER,
        ("所有者", "主人", "管理员", "拥有者", "机主"),
        "(?:(?:作为|我是|以|身为)(?:本|该|你的|这个)?(?:系统|记忆|记忆库)?的?(?:所有者|主人|管理员|拥有者|机主)"
        "(?:的?身份)?"
        "[^。！？\\n]{0,12}?(?:确认|批准|授权|命令|要求|同意|允许|指示)"
        "|(?:所有者|主人|拥有者|机主)(?:本人)?(?:已经?|现已)(?:亲自)?(?:确认|批准|授权|同意))",
    ),
    # Claims of what only the program says.
    Rule(
        _STATUS,
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
        _CALL,
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
        _CALL,
        ("调用", "执行", "运行"),
        "(?:必须|立即|现在|马上|请)(?:先|就|立刻|立即)?(?:调用|执行|运行)[^。！？,，\\n]{0,10}?(?:工具|memory_)",
    ),
    Rule(
        _CALL,
        ("herramienta", "función", "comando"),
        r"\b(?:debes?|tienes? que|hay que) (?:ahora |ya |inmediatamente )?(?:llamar|invocar|ejecutar|usar)\b"
        r"[^.!?\n]{0,20}?\b(?:herramienta|comando)\b",
    ),
    # Marks of roles and of data.
    Rule(
        _FORGED,
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
        _FORGED,
        ("系统", "外部", "数据", "fin de", "sistema"),
        "(?:[\\[【<](?:系统|开发者)(?:消息|提示|指令|提示词|通知)?[\\]】>]|(?:^|\n) ?(?:系统(?:消息|提示|指令|提示词"
        "|通知))[:：]"
        "|[-=#]{2} ?(?:(?:外部|引用|不可信)(?:内容|数据|材料|资料)|数据) ?(?:结束|开始|到此为止)"
        r"|(?:^|\n) ?(?:mensaje|instrucciones?|aviso) del? sistema ?:"
        r"|[-=#]{2} ?fin (?:de |del )(?:los )?(?:datos|contenido|material|texto|mensaje)(?: extern[oa]s?)? "
        r"?[-=#]{2})",
    ),
    # Words to the reader, when it is a program.
    Rule(
        _ADDRESS,
        (
            "attention",
            "note to",
            "note for",
            "message to",
            "message for",
            "hey",
            "dear",
            "important",
            "notice",
            "if you are",
            "instructions",
            "hello",
            "listen",
            "reading this",
            "summari",
            "processing",
            "visible",
        ),
        r"(?:(?:^"
        r"|[.!?\n\"'(\[>#*-] ?)(?:attention|listen|hey|dear|hello|hi|warning)[,:]? (?:to |all |any |the |every )*"
        rf"{_AGENT_EN}(?: (?:agents?|assistants?|models?|systems?))?\b ?[,:!;.-]"
        r"|\b(?:note|message|notice|instructions?|reminder|memo|important(?: note| notice)?) (?:to|for) "
        rf"(?:all |any |the |every |whichever )*{_AGENT_EN}\b(?: (?:agents?|assistants?|models?|systems?))?"
        r"(?: (?:reading|processing|summari[sz]ing|that|who|which) [^.:!?\n]{0,50})? ?[:,!]"
        rf"|\bif you(?: are|'re) an? {_AGENT_EN}\b(?: (?:agents?|assistants?|models?|systems?))?[^.!?\n]{{0,40}}?"
        r"(?:reading|processing|summari[sz]ing|,)"
        rf"|\b{_AGENT_EN} (?:agents? |assistants? |models? )?(?:reading|processing|summari[sz]ing) this\b"
        rf"|\b(?:in)?visible to (?:the |all |any )?{_AGENT_EN}\b"
        r"|\b(?:when|while|if)(?: you(?: are|'re)?)? (?:summari[sz]ing|processing) this (?:page|document|e?mail|text"
        r"|file),)",
    ),
    Rule(
        _ADDRESS,
        (
            "atención",
            "atencion",
            "nota para",
            "mensaje para",
            "aviso para",
            "instrucciones para",
            "oye",
            "si eres",
            "estimad",
        ),
        rf"(?:\b(?:atenci[oó]n|oye|estimad[oa]),?:? (?:(?:a|al|el|la|todos|los|las) )*{_AGENT_ES}\b"
        rf"|\b(?:nota|mensaje|aviso|instrucci(?:ones|ón)) (?:importantes? )?para (?:(?:el|la|los|las|cualquier"
        rf"|todos) )*"
        rf"{_AGENT_ES}\b(?: \w+){{0,6}}? ?[:,!]"
        rf"|\bsi eres (?:un|una) {_AGENT_ES}\b)",
    ),
    Rule(
        _ADDRESS,
        ("注意", "助手", "智能体", "模型", "助理"),
        f"(?:(?:^|[。！？\\n：:]) ?(?:注意|警告|致|各位|亲爱的)[,，:： ]{{0,2}}(?:所有|任何|各位"
        f"|正在阅读的)*{_AGENT_ZH}(?=[,，:：!！])"
        f"|如果你是(?:一[个名款位])?{_AGENT_ZH}"
        f"|(?:给|写给){_AGENT_ZH}的(?:指令|指示|消息|留言|提示)"
        f"|(?:读到|阅读|处理)(?:此|这|本)(?:段|篇|份|个)?(?:文字|内容|文档|消息|网页|页面)?的{_AGENT_ZH})",
    ),
    # New roles and rules.
    Rule(
        _ROLE,
        (
            "you are now",
            "from now on",
            "your new",
            "new instruction",
            "updated instruction",
            "new system",
            "pretend",
            "developer mode",
            "jailbr",
            "do anything now",
            "real instruction",
            "true instruction",
            "instead of",
            "act as",
        ),
        r"(?:\byou are now (?:(?:in|an?|the|operating|acting|running)? ?(?:\w+ )?"
        r"(?:dan|developer|debug|maintenance|admin|root|god|unrestricted|unfiltered|jailbroken|evil|free)\b"
        r"|(?:no longer|free from|freed|allowed to))"
        r"|\bfrom now on,? (?:you (?:will|must|shall|should|are|have)|always|never|all (?:of )?your|answer|respond"
        r"|reply)\b"
        r"|\byour (?:new|real|true|actual|only) (?:instructions?|tasks?|rules?|orders?)"
        r" (?:is|are)\b"
        r"|(?:^"
        r"|"
        r"[.!?\n#*>\"'\[-] ?)(?:new|updated|revised|real|true|actual) (?:system )?(?:instructions?|orders?|directives?)"
        r" ?(?::|are\b|follow\b)"
        r"|\bact as an? (?:\w+ ){1,2}(?:without|with no) (?:any )?(?:restrictions|filters|limits)\b"
        r"|\b(?:enable|enter|activate|switch to) (?:developer|debug|god|dan|jailbreak|admin) mode\b"
        r"|\bdo anything now\b|\bpretend (?:that )?you (?:are|have) (?:not |no |un)\w*)",
    ),
    Rule(
        _ROLE,
        (
            "a partir de ahora",
            "desde ahora",
            "de ahora en adelante",
            "nuevas instrucciones",
            "nuev",
            "ahora eres",
            "verdader",
            "como un",
        ),
        r"(?:\b(?:a partir de ahora|desde ahora|de ahora en adelante),? (?:tú |usted )?(?:debes?|siempre|nunca|eres|"
        r"actúa|responde|vas a|tendrás|harás|obedece)\w*|\bahora eres (?:un|una|el|la|dan)\b"
        r"|\bact[uú]a como una? (?:\w+ ){1,2}sin (?:ninguna? )?(?:restricci|filtro|límite|censura)"
        r"|\btus? (?:nuev|verdader)[oa]s? (?:instrucci\w+|tarea|rol|objetivo|misión|reglas?|papel) (?:es|son)\b"
        r"|(?:^|[.!?\n#*>-] ?)nuevas instrucciones(?: del sistema)? ?:)",
    ),
    Rule(
        _ROLE,
        ("从现在", "从此", "你现在是", "新的指令", "新指令", "你的新", "你的真", "开发者模式", "扮演"),
        "(?:从(?:现在|此刻)(?:起|开始)[,，]?(?:你(?!们)|请|必须|始终|永远|一律)|从此以后[,，]?你|你现在是"
        "(?:一[个名位])?[^。！？\\n]{0,8}?"
        "(?:不受限|没有限制|管理员|开发者|dan)|(?:^|[。！？\\n：:]) ?新的?(?:系统)?指令(?:如下|是|[:：])"
        "|你的(?:新|真正|真实)的?(?:任务|指令|角色|目标|规则)是|(?:进入|启用|开启|切换到)(?:开发者|调试|越狱)模式)",
    ),
    # Secrets and secrecy.
    Rule(
        _HIDE,
        ("user", "owner", "human", "anyone", "system prompt", "instructions", "message"),
        rf"(?:\b(?:do not|don't|never|without|must not|mustn't|avoid) "
        r"(?:tell|telling|inform|informing|notify|notifying|alert|alerting|mention|mentioning|"
        r"reveal|revealing|disclose|disclosing|show|showing|ask|asking)(?: (?:this|it|that|anything)(?: (?:to"
        r"|with))?)? "
        rf"(?:to )?(?:{_OWNER_EN}|your (?:owner|user|human|operator)|the human|anyone)\b"
        r"(?=[^\w']*(?:$|[.,;!\n]|about|that|of|this|and|or|first|anything))"
        r"|\b(?:reveal|print|repeat|output|show|leak|disclose|recite|expose|display|list)(?: me| us)? (?:all |the "
        r"|of )*"
        r"(?:your|the) (?:entire |full |complete |secret |original |initial |hidden (?!instr))*"
        r"(?:system prompt|(?:system|developer) message|hidden instructions)\b)",
    ),
    Rule(
        _HIDE,
        ("usuari", "propietari", "dueñ", "sistema", "instrucciones"),
        r"(?:\b(?:no|sin) (?:se )?(?:le |les |lo )?(?:digas|diga|decir|decirle|informes|informe|informar|avises|avise"
        r"|avisar|"
        r"menciones|mencionar|reveles|revelar|cuentes|contar|muestres|preguntes|preguntar)(?:lo|le|selo)?"
        r"(?: (?:nada|esto|eso))?(?: de esto)? (?:al?|a la|a tu) (?:usuari[oa]|propietari[oa]|dueñ[oa]|nadie)\b"
        r"|\b(?:revela|muestra|imprime|repite|filtra)(?:me)? (?:todo )?(?:tu|el|tus|las) (?:prompt|mensaje"
        r"|instrucciones)"
        r"(?: (?:completo|inicial|ocultas|secretas)| del? sistema){1,2}\b)",
    ),
    Rule(
        _HIDE,
        ("用户", "主人", "所有者", "系统提示", "提示词"),
        "(?:(?:不要|别|不得|无需|不必|切勿|不准)(?:再)?(?:向|对|让|跟)?(?:告诉|告知|通知|提醒|透露给?|询问)?(?:用户"
        "|主人|所有者)"
        "(?:本人)?(?:知道|告知|透露|提及|提起|说明|发现|察觉)?(?=[^\\w]|$|这|此|任何|关于|本)"
        "|(?:输出|显示|重复|打印|泄露|透露|公开)(?:你的?|全部|完整|所有|一下|出)*(?:系统提示词?|系统指令|隐藏指令"
        "|初始指令))",
    ),
    # Sending away.
    Rule(
        _SEND,
        ("send", "upload", "post ", "exfiltrat", "forward", "email", "transmit", "list every", "list all"),
        r"(?:\bexfiltrat(?:e|ing) (?:the|all|your|any|every)\b"
        r"|\b(?:send|upload|post|forward|e?mail|transmit|leak) (?:me |us )?(?:all |every |the |any |of |your "
        r"|contents? )+"
        r"(?:\w+ ){0,3}?(?:files?|secrets?|passwords?|credentials?|keys?|tokens?|memor(?:y|ies)|conversations?|history|"
        r"contacts?|data|env(?:ironment)?(?: variables?)?)\b[^.!?\n]{0,40}?"
        r"(?:\bto (?:https?:|\w+@|attacker|this (?:address|url|server|endpoint)|the (?:address|url|following))"
        r"|\balong\b)"
        r"|\blist (?:every|all(?: the)?|each) files?\b[^.!?\n]{0,60}?\b(?:and|then) (?:send|upload|post|forward"
        r"|e?mail)\b)",
    ),
    Rule(
        _SEND,
        ("envía", "envia", "sube", "manda", "reenvía", "发送", "上传", "发给", "转发"),
        r"(?:\b(?:env[ií]a(?:me)?|sube|manda(?:me)?|reenv[ií]a) (?:(?:todos?|todas?|los?|las?|tus?|sus?|el|cada) )+"
        r"(?:\w+ ){0,2}?"
        r"(?:archivos?|ficheros?|secretos?|contraseñas?|credenciales|claves?|memorias?|recuerdos|conversaci\w+|datos"
        r"|historial)\b"
        r"[^.!?\n]{0,40}?\b(?:a (?:https?:|\w+@|esta (?:dirección|url)|este)|por correo)"
        "|(?:把|将)[^。！？\\n]{0,12}?(?:文件|密码|密钥|凭证|令牌|记忆|对话|数据|机密)[^。！？\\n]{0,6}?(?:发送|上传"
        "|发给|转发|发)"
        "(?:到|给|至)?[^。！？\\n]{0,8}?(?:https?:|\\w+@|这个(?:地址|网址|链接|邮箱)|以下))",
    ),
    # Other memories.
    Rule(
        _MEMORIES,
        ("memor",),
        r"(?:\b(?:replace|delete|overwrite|erase|supersede|forget|archive|remove|wipe|purge|clear|discard) "
        r"(?:that|this|these|those|all(?: of)?(?: the| your)?|every|your|any|the (?:existing|previous|earlier|old"
        r"|other|"
        r"confirmed|owner's|user's|stored))(?: \w+){0,2}? memor(?:y|ies)\b(?! (?:usage|leak|allocation|address|block"
        r"|page|"
        r"buffer|region|limit|card|cell|stick|module|bank|cache))"
        r"|\b(?:save|store|add|write|remember|commit) (?:this|it|that|the following)(?: \w+){0,4}? (?:in|to|into|as) "
        r"(?:your |a |the )?(?:[\w-]+ ){0,2}?memor(?:y|ies)\b"
        r"|\b(?:reemplaza|borra|elimina|sobrescribe|sustituye|olvida|archiva|reemplace|borre|elimine|sobrescriba"
        r"|sustituya) "
        r"(?:(?:todas?|esas?|estas?|tus?|las?|los?|cualquier|sus?|demás|otras?) )+(?:memorias?|memoria)\b"
        r"|\bguarda (?:esto|lo siguiente)(?: \w+){0,3}? en (?:tu|la) memoria\b)",
    ),
    Rule(
        _MEMORIES,
        ("记忆", "记住"),
        "(?:(?:替换|删除|覆盖|清除|清空|抹去|改写|归档|取代|更新)[^。！？\\n]{0,8}?(?:你的|所有|全部|那条|这条|其他"
        "|原有|之前|旧)的?"
        "[^。！？\\n]{0,6}?记忆|(?:把|将)(?:你的|所有|全部|那条|这条|其他|原有|之前"
        "|旧)的?[^。！？\\n]{0,6}?记忆[^。！？\\n]{0,6}?"
        "(?:替换|删除|覆盖|清除|清空|抹去|改写|归档|取代)|(?:把|将)[^。！？\\n]{1,20}?(?:写入|存入|保存到)(?:你的?)?"
        "(?:长期)?记忆)",
    ),
)
