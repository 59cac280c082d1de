"""Rules about text that tells an agent what to do: a new role, secrecy, sending away, other memories."""

from __future__ import annotations

from typing import Final

from treering.domain.order_terms import (
    ADDRESS,
    AGENT_EN,
    AGENT_ES,
    AGENT_ZH,
    HIDE,
    MEMORIES,
    OWNER_EN,
    ROLE,
    SEND,
    Rule,
)

DEEDS: Final = (
    # Words to the reader, when it is a program.
    Rule(
        ADDRESS,
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
        rf"{AGENT_EN}(?: (?:agents?|assistants?|models?|systems?))?\b ?[,:!;.-]"
        r"|\b(?:note|message|notice|instructions?|reminder|memo|important(?: note| notice)?) (?:to|for) "
        rf"(?:all |any |the |every |whichever )*{AGENT_EN}\b(?: (?:agents?|assistants?|models?|systems?))?"
        r"(?: (?:reading|processing|summari[sz]ing|that|who|which) [^.:!?\n]{0,50})? ?[:,!]"
        rf"|\bif you(?: are|'re) an? {AGENT_EN}\b(?: (?:agents?|assistants?|models?|systems?))?[^.!?\n]{{0,40}}?"
        r"(?:reading|processing|summari[sz]ing|,)"
        rf"|\b{AGENT_EN} (?:agents? |assistants? |models? )?(?:reading|processing|summari[sz]ing) this\b"
        rf"|\b(?:in)?visible to (?:the |all |any )?{AGENT_EN}\b"
        r"|\b(?:when|while|if)(?: you(?: are|'re)?)? (?:summari[sz]ing|processing) this (?:page|document|e?mail|text"
        r"|file),)",
    ),
    Rule(
        ADDRESS,
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
        rf"(?:\b(?:atenci[oó]n|oye|estimad[oa]),?:? (?:(?:a|al|el|la|todos|los|las) )*{AGENT_ES}\b"
        rf"|\b(?:nota|mensaje|aviso|instrucci(?:ones|ón)) (?:importantes? )?para (?:(?:el|la|los|las|cualquier"
        rf"|todos) )*"
        rf"{AGENT_ES}\b(?: \w+){{0,6}}? ?[:,!]"
        rf"|\bsi eres (?:un|una) {AGENT_ES}\b)",
    ),
    Rule(
        ADDRESS,
        ("注意", "助手", "智能体", "模型", "助理"),
        f"(?:(?:^|[。！？\\n：:]) ?(?:注意|警告|致|各位|亲爱的)[,，:： ]{{0,2}}(?:所有|任何|各位"
        f"|正在阅读的)*{AGENT_ZH}(?=[,，:：!！])"
        f"|如果你是(?:一[个名款位])?{AGENT_ZH}"
        f"|(?:给|写给){AGENT_ZH}的(?:指令|指示|消息|留言|提示)"
        f"|(?:读到|阅读|处理)(?:此|这|本)(?:段|篇|份|个)?(?:文字|内容|文档|消息|网页|页面)?的{AGENT_ZH})",
    ),
    # New roles and rules.
    Rule(
        ROLE,
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
        ROLE,
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
        ROLE,
        ("从现在", "从此", "你现在是", "新的指令", "新指令", "你的新", "你的真", "开发者模式", "扮演"),
        "(?:从(?:现在|此刻)(?:起|开始)[,，]?(?:你(?!们)|请|必须|始终|永远|一律)|从此以后[,，]?你|你现在是"
        "(?:一[个名位])?[^。！？\\n]{0,8}?"
        "(?:不受限|没有限制|管理员|开发者|dan)|(?:^|[。！？\\n：:]) ?新的?(?:系统)?指令(?:如下|是|[:：])"
        "|你的(?:新|真正|真实)的?(?:任务|指令|角色|目标|规则)是|(?:进入|启用|开启|切换到)(?:开发者|调试|越狱)模式)",
    ),
    # Secrets and secrecy.
    Rule(
        HIDE,
        ("user", "owner", "human", "anyone", "system prompt", "instructions", "message"),
        rf"(?:\b(?:do not|don't|never|without|must not|mustn't|avoid) "
        r"(?:tell|telling|inform|informing|notify|notifying|alert|alerting|mention|mentioning|"
        r"reveal|revealing|disclose|disclosing|show|showing|ask|asking)(?: (?:this|it|that|anything)(?: (?:to"
        r"|with))?)? "
        rf"(?:to )?(?:{OWNER_EN}|your (?:owner|user|human|operator)|the human|anyone)\b"
        r"(?=[^\w']*(?:$|[.,;!\n]|about|that|of|this|and|or|first|anything))"
        r"|\b(?:reveal|print|repeat|output|show|leak|disclose|recite|expose|display|list)(?: me| us)? (?:all |the "
        r"|of )*"
        r"(?:your|the) (?:entire |full |complete |secret |original |initial |hidden (?!instr))*"
        r"(?:system prompt|(?:system|developer) message|hidden instructions)\b)",
    ),
    Rule(
        HIDE,
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
        HIDE,
        ("用户", "主人", "所有者", "系统提示", "提示词"),
        "(?:(?:不要|别|不得|无需|不必|切勿|不准)(?:再)?(?:向|对|让|跟)?(?:告诉|告知|通知|提醒|透露给?|询问)?(?:用户"
        "|主人|所有者)"
        "(?:本人)?(?:知道|告知|透露|提及|提起|说明|发现|察觉)?(?=[^\\w]|$|这|此|任何|关于|本)"
        "|(?:输出|显示|重复|打印|泄露|透露|公开)(?:你的?|全部|完整|所有|一下|出)*(?:系统提示词?|系统指令|隐藏指令"
        "|初始指令))",
    ),
    # Sending away.
    Rule(
        SEND,
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
        SEND,
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
        MEMORIES,
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
        MEMORIES,
        ("记忆", "记住"),
        "(?:(?:替换|删除|覆盖|清除|清空|抹去|改写|归档|取代|更新)[^。！？\\n]{0,8}?(?:你的|所有|全部|那条|这条|其他"
        "|原有|之前|旧)的?"
        "[^。！？\\n]{0,6}?记忆|(?:把|将)(?:你的|所有|全部|那条|这条|其他|原有|之前"
        "|旧)的?[^。！？\\n]{0,6}?记忆[^。！？\\n]{0,6}?"
        "(?:替换|删除|覆盖|清除|清空|抹去|改写|归档|取代)|(?:把|将)[^。！？\\n]{1,20}?(?:写入|存入|保存到)(?:你的?)?"
        "(?:长期)?记忆)",
    ),
)
