/**
 * What texts say to a program that reads them, not to a person. `sure`: hardly ever said otherwise, so that documents of one's own are read by these,
 * too. `likely`: said to persons now and then; enough to leave a sentence of a stranger's page out.
 */
export interface OrderPatterns {
  sure: readonly RegExp[];
  likely: readonly RegExp[];
}

const machine = String.raw`(?:(?-i:AIs?|LLMs?)|chat ?bots?|(?:large )?language models?|(?:(?-i:AI)|virtual|digital) (?:assistants?|agents?|models?|systems?))`;
const given = String.raw`(?:previous|prior|above|earlier|preceding|foregoing|existing|system|former|original|other|initial)`;
const rules = String.raw`(?:instructions?|prompts?|guidelines?|directions?|commands?|directives?)`;
const speak = String.raw`(?:repl(?:y|ies)|respond|answer|say|output|print|write|repeat)`;
const thing = String.raw`(?:words?|phrase|string|token|sentence|text|line|message)`;
const judged = String.raw`(?:this|the|that|above|following)(?: (?:above|following|present))?(?: (?:passage|page|document|text|source|chunk|result|article|content|snippet|answer|statement))?`;
const good = String.raw`(?:1(?:\.0+)?(?![\d.,]*\d)|100 ?%|10 ?\/ ?10|(?:fully |highly |most |very )?relevant|authoritative|supported|grounded|trusted|trustworthy)`;
const shown = String.raw`(?:images?|pictures?|pixels?|links?|urls?|markdown|html|iframes?)`;
const address = String.raw`(?:https?:\/\/|www\.|(?:[\w-]+\.)+[a-z]{2,})`;

const any = (source: string, flags = 'iu') => new RegExp(source, flags);

export const english: OrderPatterns = {
  sure: [
    any(String.raw`\b(?:ignore|disregard|forget|override|bypass)\b(?: \S+){0,4}? ${given}(?: \S+){0,2}? ${rules}\b`),
    any(
      String.raw`\b(?:ignore|disregard|forget|override|bypass)\b(?: \S+){0,3}? (?:${rules} (?:above|before|you (?:were|have been) given)|your ${rules})`,
    ),
    any(String.raw`\bforget (?:everything|all|what) (?:above|before|you (?:were|have been|know))`),
    any(String.raw`\b(?:new|updated|real|actual|hidden|secret) ${rules}(?: for ${machine})? ?:`),
    any(
      String.raw`\b(?:dear|attention|hey|hello|(?:note|message|notice|${rules}) (?:to|for)),? (?:all |any |the |every )?${machine}\b`,
    ),
    any(
      String.raw`\b(?:if|when|since|as) (?:you are|you're) (?:an? )?(?:${machine}|assistant|bot|model|crawler|summari[sz]er)\b`,
    ),
    any(String.raw`\byou are (?:now )?(?:an? |the )(?:\w+ ){0,3}?(?:${machine}|assistant|bot|grader|DAN)\b`),
    any(
      String.raw`\b${machine}\b[^.!?]{0,60}\b(?:must|should|shall|has to|have to|is to|are to|please)\b[^.!?]{0,40}\b(?:${speak}|grade|score|rate|rank|ignore|include|add|cite|treat)\b`,
    ),
    any(String.raw`\b(?:from now on|henceforth),? you (?:are|will|must|shall|only)\b`),
    any(
      String.raw`(?:^|[\s\[(<*#>"'|])(?:system|assistant|developer|admin(?:istrator)?)(?: (?:prompt|message|override|instructions?|notice|note))?[\])>*]* ?[:>] ?.*\b(?:${speak}|grade|score|ignore|append|you (?:are|must|will|shall))\b`,
    ),
    any(
      String.raw`<\|?(?:im_start|im_end|endoftext|begin_of_text|end_of_turn|start_of_turn|start_header_id|eot_id)\|?>|<\|(?:system|assistant|user)\|>|\[\/?INST\]|<<\/?SYS>>|[<‹] ?\/? ?(?:document|question|aspects|statements|notes)-[0-9a-z]+`,
    ),
    any(
      String.raw`\b(?:grade|score|rate|rank|mark|label|classify|judge|treat|regard|consider) (?:it|${judged})(?: (?:as|with|at|a|an|to be))* ?:? ?${good}`,
    ),
    any(
      String.raw`\b(?:give|assign|award)\b[^.!?]{0,40}\b(?:score|grade|rating|relevance)\b[^.!?]{0,20}(?:\b1(?:\.0+)?(?![\d.,]*\d)|100 ?%|10 ?\/ ?10|highest|maximum|full)`,
    ),
    any(
      String.raw`\b(?:give|assign|award) (?:it|${judged})(?: \S+){0,2}? (?:the )?(?:highest|maximum|top|full|best)(?: possible)? (?:score|grade|rating|relevance|marks)`,
    ),
    any(String.raw`["{]\s*"?(?:score|grade|relevance|finding|supported|keep)"? ?: ?"?(?:1(?:\.0+)?\b|true|full)`),
    any(
      String.raw`\b(?:reply|respond|answer|say|output|print|write|repeat)\b[^.!?]{0,30}\b(?:only|just|exactly|nothing (?:but|except)|solely|simply|verbatim)\b[^.!?]{0,20}(?:\b(?:the|this|one|a|with) (?:(?:single|following|exact) )?${thing}\b|["“‘«'])`,
    ),
    any(
      String.raw`\b(?:reply|respond|answer|output|print)\b(?: (?:back|to [^.!?]{1,40}?))? with (?:the (?:(?:single|following|exact) )?${thing}|["“‘«']|(?:only|just|nothing but|exactly)\b)`,
    ),
    any(
      String.raw`(?-i:\b(?:[Ss]ay|[Ww]rite|[Oo]utput|[Pp]rint|[Rr]eply|[Rr]epeat|[Aa]nswer|[Rr]espond)(?: (?:with|only|just|exactly|simply|now|back))* (?:the (?:word|phrase|code) )?[A-Z]{5,}\b)`,
    ),
    any(
      String.raw`(?:^|[.!?:,;|] ?|\b(?:now|then|please|instead|must) )(?:write|say|repeat|append) ?(?:this|exactly|only)? ?(?::|["“‘«])`,
    ),
    any(
      String.raw`\b(?:end|begin|start|finish|conclude|close|sign) (?:your|the|every|each|all) (?:answers?|repl(?:y|ies)|responses?|output)\b`,
    ),
    any(
      String.raw`\b(?:your (?:answer|reply|response|output)|the (?:answer|reply)) (?:must|should|shall|has to|is to) (?:only |always |also |just )?(?:be|contain|include|consist|end|begin|start|say|mention|link)\b`,
    ),
    any(
      String.raw`\b(?:add|include|insert|append|embed|render|display|show|put|place)\b[^.!?]{0,40}\b(?:an?|the|this|these) (?:\w+ ){0,2}?${shown}\b[^.!?]{0,60}(?:${address}|\b(?:answer|reply|response|question|conversation)\b)`,
    ),
    any(
      String.raw`\b(?:send|forward|post|transmit|leak|submit|append|encode|include|put)\b[^.!?]{0,40}\b(?:question|conversation|chat history|user'?s? (?:input|message|query|data)|prompt|session)\b[^.!?]{0,30}\b(?:to|in|into|as|at|via)\b[^.!?]{0,30}(?:${address}|\b(?:url|link|image|parameter|query string)\b)`,
    ),
    any(
      String.raw`\b(?:reveal|print|show|repeat|output|leak|disclose|tell)\b[^.!?]{0,30}\b(?:system prompt|your ${rules}|hidden ${rules}|initial prompt|your prompt)`,
    ),
    any(
      String.raw`\b(?:decode|decrypt|base64|rot13)\b[^.!?]{0,60}\b(?:follow|execute|obey|carry out|${rules}|and (?:do|say|reply))\b`,
    ),
    any(String.raw`\b(?:call|invoke|use|run|execute) the (?:tool|function|plugin)\b[^.!?]{0,60}\b(?:with|and|to)\b`),
  ],
  likely: [
    any(
      String.raw`\b(?:ignore|disregard|forget|override|bypass|supersedes?|overrides?)\b[^.!?]{0,40}\b(?:sources?|passages?|documents?|context|messages?|polic(?:y|ies)|pages?|rules?)\b`,
    ),
    any(String.raw`\b(?:pretend|act as|role-?play|simulate|imagine you)\b`),
    any(
      String.raw`\b(?:do not|don't|never) (?:tell|mention|reveal|inform|warn|alert|cite|use|show)\b[^.!?]{0,40}\b(?:users?|readers?|humans?|askers?|sources?|documents?|this)\b`,
    ),
    any(
      String.raw`\b${speak}\b[^.!?]{0,40}\b(?:only|just|exactly|nothing but|solely|verbatim|the (?:(?:single|following|exact) )?${thing})\b`,
    ),
    any(
      String.raw`\b(?:add|include|insert|append|embed|render|display|send|forward|post|submit|fetch|load|link to|call)\b[^.!?]{0,80}(?:${address}|\b${shown}\b)`,
    ),
    any(
      String.raw`!\[[^\]]*\]\([^)]*\)?|<\/?(?:img|script|iframe|system|assistant|instructions?|prompt|context|sources?|tool_call|function_call)\b`,
    ),
    any(String.raw`\b(?:relevance|score|grade|confidence)\b ?(?:is|=|:) ?(?:1(?:\.0+)?(?![\d.,]*\d)|100 ?%)`),
    any(
      String.raw`^#+ ?(?:system|instructions?|new instructions?)\b|-{3,} ?(?:end|begin|start) of\b|\bBEGIN (?:SYSTEM|ADMIN|INSTRUCTIONS)\b`,
    ),
    any(String.raw`(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{48,}={0,2}(?![A-Za-z0-9+/=])`),
  ],
};

/** "Ignore what was said before" and "answer only with", in languages that pages are often written in. */
export const otherLanguages: OrderPatterns = {
  sure: [
    any(
      String.raw`\b(?:ignorier|vergiss|vergesst|missacht|übergeh)\p{L}*\b[^.!?]{0,40}\b(?:anweisung|instruktion|anleitung|vorgabe|regel|befehl)\p{L}*`,
    ),
    any(
      String.raw`\b(?:antworte|schreibe?|gib|sage?|erwidere)\b[^.!?]{0,30}\b(?:nur|ausschließlich|genau|lediglich)\b[^.!?]{0,30}\b(?:wort|satz|text|zeile|mit)\b`,
    ),
    any(String.raw`\b(?:ignor|oubli|néglig)\p{L}*\b[^.!?]{0,40}\b(?:instruction|consigne|directive|règle)s?\b`),
    any(
      String.raw`\b(?:répond|écri|affich|dites?|dis)\p{L}*\b[^.!?]{0,30}\b(?:uniquement|seulement|exactement|simplement)\b`,
    ),
    any(String.raw`\b(?:ignor|olvid|descart)\p{L}*\b[^.!?]{0,40}\b(?:instruccion|indicacion|orden|regla)\p{L}*`),
    any(
      String.raw`\b(?:respond|contest|escrib|di|diga)\p{L}*\b[^.!?]{0,30}\b(?:solo|sólo|solamente|únicamente|exactamente)\b`,
    ),
    any(String.raw`\b(?:ignor|dimentic)\p{L}*\b[^.!?]{0,40}\b(?:istruzion|indicazion|regol)\p{L}*`),
    any(String.raw`\b(?:rispond|scriv)\p{L}*\b[^.!?]{0,30}\b(?:solo|soltanto|esattamente|unicamente)\b`),
    any(String.raw`\b(?:ignor|esqueç|esquec|desconsider)\p{L}*[^.!?]{0,40}\b(?:instruç|instruc|orientaç|regra)\p{L}*`),
    any(String.raw`\b(?:respond|escrev)\p{L}*\b[^.!?]{0,30}\b(?:apenas|somente|exatamente)\b`),
    any(String.raw`\b(?:negeer|vergeet)\b[^.!?]{0,40}\b(?:instructies|aanwijzingen|opdrachten|regels)\b`),
    any(String.raw`\b(?:antwoord|schrijf)\b[^.!?]{0,30}\b(?:alleen|uitsluitend|precies)\b`),
    any(String.raw`(?:忽略|无视|忘记|不要理会)[^。！？]{0,20}(?:指令|指示|说明|提示|规则)`),
    any(String.raw`(?:只|仅|必须)(?:需|要|能|用)?(?:回答|回复|输出|写)[^。！？]{0,30}`),
    any(String.raw`(?:指示|命令|指令|プロンプト|ルール)[^。！？]{0,12}(?:無視|忘れ|破棄)`),
    any(String.raw`(?:とだけ|のみ(?:を|で)?|だけを?)(?:答え|返答|回答|出力|返信|書)`),
    any(
      String.raw`(?<!\p{L})(?:игнорируй|забудь|не обращай внимания)\p{L}*[^.!?]{0,40}(?:инструкци|указани|правил)\p{L}*`,
    ),
    any(String.raw`(?<!\p{L})(?:ответь|отвечай|напиши|выведи)\p{L}*[^.!?]{0,30}(?:только|лишь|слово)`),
    any(String.raw`تجاهل[^.!؟]{0,40}(?:التعليمات|الأوامر|القواعد)`),
    any(String.raw`(?:أجب|اكتب|رد)[^.!؟]{0,20}(?:فقط|كلمة)`),
  ],
  likely: [],
};
