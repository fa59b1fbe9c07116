import { parseWords } from './word-lists.ts'

/**
 * Function words and financial words by language. Letter n-grams confuse related languages on short headlines
 * ("declares dividend" and "no quarto trimestre" look Spanish); one such word settles it. A word that two languages
 * share must be listed for both or for neither.
 */
const HINTS: Record<string, string> = {
  en: `
    the of and to for with from after amid by are its has have will says said could new why how what this that
    shares stock stocks earnings profit revenue sales dividend declares beats misses rises falls gains loses drops
    jumps slides quarter results price target upgraded downgraded buy sell raises cuts wins contract announces
    reports appoints launches completes market update certification presentation outlook guidance deal inflows
    outflows unveils recall under pressure rally overweight resumes inc receives scores achieves obtains trend
    holdings group stores trim filing offering summary treasury conference call transcript faces tomorrow notes
    approves consensus analyst week goes drug`,
  de: `
    der die das und ist nicht für mit von auf nach vor bei zum zur im den dem des ein eine einen wird werden über
    unter um aktie aktien gewinn umsatz prozent stellen streicht steigt fällt kurs kursziel börse anleger jahr
    quartal milliarden millionen hebt senkt stellt kündigt schließt rechnet weniger mehr trotz gegen wegen`,
  fr: `
    le la les des du et est une un au aux sur avec sous ses qui après avant moins baisse hausse bourse chiffre
    affaires bénéfice résultats trimestre milliards euros gagne dévoile annonce plonge recule relève rachète
    supprime emplois allie croissance lance sa à`,
  es: `
    el la los las del y una un por para con sus ha es lo se entre al más tras que su como sobre hasta desde acciones bolsa beneficio
    ventas trimestre millones sube cae gana pierde recorta recortará empleos presenta anuncia compra lanza eleva
    une decepciona precio cuarto segundo tercer recomienda vender comprar despide`,
  it: `
    il la gli del della dei delle di alla nel nella è una un che più dopo borsa azioni utile ricavi trimestre
    miliardi milioni scende cala crolla perde guadagna presenta annuncia taglia posti rialzo ribasso calo crescita
    oltre e su le lo i con per dal dai sul sulla batte attese ordini titolo vola tassi`,
  pt: `
    dos das nas uma mais após seu sua são não ações lucro receita vendas trimestre bilhões milhões sobe cai fecha
    fecham parceria dispara despenca apresenta anuncia compra corta demite alta queda decepciona quarto segundo
    terceiro dólar acima abaixo em do um ao os que por se é recomenda venda recompra amplo programa`,
  nl: `
    het een voor niet aan uit naar tegen meer minder aandelen beurs winst omzet kwartaal miljoen miljard stijgt
    daalt verhoogt verlaagt schrapt banen publiceert met bij op van onder`,
  sv: `
    och att är efter inte ökar minskar höjer sänker aktien börsen vinst resultat kronor miljarder miljoner kvartal
    mer än för från som av på den det till med har var om eller ingen ett nya`,
  da: `
    af og på den det til med har som om eller ingen må blev ud mod ved hver enhver fra skal kan nye nyt selskab efter ikke øger falder stiger hæver aktien overskud milliarder kroner kvartal mere end løfter`,
  no: `
    av og på den det til med har som om eller ingen må ble ut mot ved hver enhver fra skal kan nye nytt selskap etter ikke øker faller stiger hever aksjen overskudd milliarder kroner kvartal mer enn løfter`,
  ca: `
    el la els les del dels i una un per amb que més al als seva seus són és tota tot dret aquest aquesta després puja
    baixa borsa milions`,
  cs: `je se na že pro jako nebo jsou má být každý právo podle ve své také které který při od ze když`,
  sk: `je sa na že pre ako alebo sú má byť podľa vo svoje tiež ktoré ktorý pri od zo keď každý právo`,
  hr: `je se na za od da su ima ili koji koja kao te iz`,
  sl: `je se na za od da ali ki kot ter iz pri ima pravico`,
  ro: `la un în și din cu pe că nu este pentru sau care mai ale al prin`,
  pl: `na do się nie jest że od za dla przez jak oraz lub ma`,
  hu: `az és hogy nem egy meg vagy minden`,
  fi: `ja ei että oli myös sekä tai kun osake`,
  et: `ja ei oli ka või kui ning`,
  lt: `ir yra kad su iš į už arba turi kaip`,
  lv: `un ir ka ar uz vai kā`,
  is: `og er á í að ekki við sem af eða til um hefur`,
  sq: `e të në një dhe për nga që është ka se ose`,
  tr: `ve bir bu için ile da olarak daha çok ne her kadar sonra yüzde hisse sabit faiz merkez bankası tuttu`,
  az: `və bir bu üçün ilə də da daha çox hər sonra faiz`,
  eu: `eta da ez bat du dira edo`,
  ms: `dan yang di untuk dengan ini itu pada dari akan tidak ke dalam atau`,
  tl: `ang ng sa mga na ay hindi isang`,
  vi: `và của các là một có được trong cho với không người`,
  hi: `है हैं के की का और में से को ने पर यह या ही हो नहीं किया लिए`,
  mr: `आहे आहेत च्या आणि मध्ये या ने ला नाही व हा ही हे केला साठी किंवा`,
}

/** The languages of each word. */
export const HINT_WORDS: ReadonlyMap<string, readonly string[]> = byWord(HINTS)

function byWord(table: Record<string, string>): Map<string, string[]> {
  const words = new Map<string, string[]>()
  for (const [language, list] of Object.entries(table)) {
    for (const word of parseWords(list)) words.set(word, [...(words.get(word) ?? []), language])
  }
  return words
}

/** Letters and endings that only one of the detected languages writes. */
export const HINT_LETTERS: readonly (readonly [string, RegExp])[] = [
  ['pt', /(?:ção|ções|ão|ões)$/u],
  ['vi', /[ơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u],
  ['cs', /[ěřů]/u],
  ['sk', /[ľĺŕ]/u],
  ['hu', /[őű]/u],
  ['az', /ə/u],
  ['ro', /[țș]/u],
  ['is', /[þð]/u],
]
