import { commaNumbers, type Language } from './language.ts'

const ordinals = ['primo', 'secondo', 'terzo', 'quarto']

export const italian: Language = {
  code: 'it',
  joiner: ' ',
  contentLength: 260,
  numbers: commaNumbers({
    group: '.',
    percent: '%',
    billions: 'miliardi',
    millions: 'milioni',
    currencies: { USD: 'di dollari', EUR: 'di euro', GBP: 'di sterline', JPY: 'di yen', CHF: 'di franchi svizzeri' },
  }),
  assetNames: {},
  contract: (text) =>
    text.replace(/\b(de|da|a|i)l (?=8,|11,)/g, (_, stem: string) => (stem === 'i' ? 'l’' : `${stem}ll’`)),
  quarter: (quarter) => `${ordinals[quarter - 1]} trimestre`,
  quarterLabel: (quarter, year) => `${quarter}° trimestre ${year}`,
  banks: {
    US: 'la Fed',
    EU: 'la BCE',
    GB: "la Banca d'Inghilterra",
    JP: 'la Banca del Giappone',
    CN: 'la Banca popolare cinese',
  },
  places: { US: 'negli Stati Uniti', EU: "nell'Eurozona", GB: 'nel Regno Unito', JP: 'in Giappone', CN: 'in Cina' },
  eventTemplates: {
    'earnings-beat': {
      titles: ['{name} batte le attese nel {quarter}', '{name}: i ricavi crescono del {pctHigh}'],
      leads: [
        '{name} ha registrato nel {quarter} ricavi per {revenueHigh}, in crescita del {pctHigh} e sopra le previsioni.',
      ],
      details: ['Il margine è migliorato grazie a una domanda solida e a costi ben controllati.'],
    },
    'earnings-miss': {
      titles: ['{name} delude nel {quarter}', 'Conti deludenti: {name} perde il {pct} in Borsa'],
      leads: [
        '{name} ha registrato nel {quarter} ricavi per {revenueLow}, lontano da quanto attendevano gli analisti, cioè {revenueHigh}.',
      ],
      details: ['I costi più alti e gli ordini deboli hanno pesato sugli utili, ammette la società.'],
    },
    'guidance-cut': {
      titles: ['{name} taglia le stime per il {year}', '{name} lancia un allarme sugli utili'],
      leads: [
        '{name} ha ridotto la previsione di ricavi per il {year} da {yearHigh} a {yearLow} e avverte che il secondo semestre sarà difficile.',
      ],
      details: ['La società cita ordini annullati e salari più alti.'],
    },
    'analyst-upgrade': {
      titles: ['{broker} consiglia di comprare {name}', '{name}: gli analisti vedono un potenziale del {pctHigh}'],
      leads: ['{broker} ha alzato il giudizio su {name} a «comprare» e vede un potenziale di rialzo del {pctHigh}.'],
      details: ['Il gruppo guadagna quote di mercato e la valutazione resta interessante, secondo lo studio.'],
    },
    'analyst-downgrade': {
      titles: ['{broker} consiglia di vendere {name}', '{name} bocciata: valutazione eccessiva'],
      leads: [
        '{broker} ha abbassato il giudizio su {name} a «vendere» e ha ridotto il prezzo obiettivo del {pctHigh}.',
      ],
      details: ['La concorrenza aumenta e la crescita rallenta, secondo lo studio.'],
    },
    buyback: {
      titles: ['{name} riacquisterà azioni per {moneyHigh}', '{name} annuncia un ampio piano di riacquisto'],
      leads: ['{name} riacquisterà azioni proprie per un massimo di {moneyHigh} nei prossimi {months} mesi.'],
      details: ['Il bilancio è abbastanza solido da finanziare anche la crescita, assicura il gruppo.'],
    },
    layoffs: {
      titles: ['{name} taglia {count} posti di lavoro', 'Esuberi in casa {name}: {count} persone coinvolte'],
      leads: ['{name} taglierà {count} posti di lavoro a causa del rallentamento delle attività.'],
      details: ['I sindacati criticano duramente il piano, il cui costo è stimato in {moneyLow}.'],
    },
    'product-launch': {
      titles: ['{name} presenta {brand}', 'Con {brand} la sfida di {name} ai concorrenti'],
      leads: ['{name} ha presentato {brand} a {city} e i primi ordini superano le attese.'],
      details: ['Gli esperti lodano la qualità del prodotto, le consegne inizieranno fra {months} mesi.'],
    },
    'antitrust-probe': {
      titles: ['Antitrust: indagine su {name}', 'Il garante della concorrenza punta {name}'],
      leads: ['Il garante della concorrenza ha aperto un’indagine su {name}, che rischia una multa di {moneyLow}.'],
      details: ['La società nega ogni abuso e dichiara di collaborare con gli inquirenti.'],
    },
    partnership: {
      titles: ['{name} e {peer} annunciano un’alleanza', '{name} unisce le forze con {peer}'],
      leads: ['{name} e {peer} lavoreranno insieme e contano di risparmiare {moneyLow} l’anno.'],
      details: ['Una squadra comune nascerà a {city} e gli investitori apprezzano l’accordo.'],
    },
    'coin-rally': {
      titles: ['{name} sale del {pct}', 'Criptovalute: forte rialzo per {name}'],
      leads: [
        '{name} è in rialzo del {pct} in un solo giorno grazie all’afflusso di capitali sul mercato delle criptovalute.',
      ],
      details: ['Chi puntava al ribasso ha dovuto ricomprare e questo ha rafforzato il movimento.'],
    },
    'coin-slide': {
      titles: ['{name} crolla del {pct}', 'Criptovalute: forte ribasso per {name}'],
      leads: ['{name} è in calo del {pct} dopo la liquidazione di molte posizioni a leva.'],
      details: ['Gli operatori parlano di vendite dettate dal panico, che colpiscono anche altre criptovalute.'],
    },
    'index-gain': {
      titles: ['Borsa, {name} in rialzo del {pct}', 'Seduta positiva: {name} guadagna il {pct}'],
      leads: ['Seduta in rialzo del {pct} per l’indice {name}, sostenuto dai buoni risultati delle società.'],
      details: ['Il calo dei rendimenti obbligazionari ha incoraggiato gli acquisti, soprattutto sui titoli ciclici.'],
    },
    'index-fall': {
      titles: ['Borsa, {name} in calo del {pct}', 'Seduta negativa: {name} perde il {pct}'],
      leads: [
        'Seduta in calo del {pct} per l’indice {name}, dopo che l’aumento dei rendimenti ha spaventato gli investitori.',
      ],
      details: ['I titoli tecnologici sono stati i più colpiti e pochi si sono salvati dalle vendite.'],
    },
    'gold-rally': {
      titles: ['L’oro sale del {pct}', 'L’oro si avvicina al record'],
      leads: ['Il prezzo dell’oro è salito del {pct}, sostenuto dagli acquisti delle banche centrali.'],
      details: ['La debolezza del dollaro rende il metallo prezioso più interessante per gli acquirenti esteri.'],
    },
    'oil-supply-cut': {
      titles: ['Petrolio in rialzo del {pct} dopo i tagli', 'Brent e WTI salgono dopo la decisione dei produttori'],
      leads: [
        'Il petrolio è salito del {pct} dopo che diversi Paesi hanno prolungato di {months} mesi i tagli alla produzione.',
      ],
      details: ['Le scorte di greggio calano da settimane e questo sostiene Brent e WTI.'],
    },
    'rate-cut': {
      titles: ['{Bank} taglia i tassi al {rateLow}', 'Taglio dei tassi: {bank} sostiene la crescita'],
      leads: ['{Bank} ha ridotto il tasso di riferimento di {bp} punti base, al {rateLow}, per sostenere la crescita.'],
      details: ['L’inflazione è ritenuta sotto controllo e chi ha un mutuo ne trarrà presto beneficio.'],
    },
    'rate-hold': {
      titles: ['{Bank} lascia i tassi invariati', 'Nessuna sorpresa: tassi fermi al {rateHigh}'],
      leads: ['{Bank} ha mantenuto il tasso di riferimento al {rateHigh}, come previsto dagli economisti.'],
      details: ['Le prossime decisioni dipenderanno dai dati economici, si legge nel comunicato.'],
    },
    'inflation-cools': {
      titles: ['L’inflazione scende al {pctLow} {place}', 'I prezzi rallentano {place}'],
      leads: ['L’inflazione è scesa dal {pctHigh} al {pctLow} {place}, e cresce la speranza di tassi più bassi.'],
      details: ['L’energia è diventata più economica e gli alimentari costano meno del mese precedente.'],
    },
    'inflation-heats': {
      titles: ['L’inflazione sale al {pctHigh} {place}', 'Brutta sorpresa sui prezzi {place}'],
      leads: [
        'L’inflazione è salita dal {pctLow} al {pctHigh} {place}, e si allontana la speranza di tassi più bassi.',
      ],
      details: ['Affitti e alimentari sono rincarati molto e le famiglie perdono potere d’acquisto.'],
    },
  },
  onePeer: ['Anche {peer} era sotto i riflettori.', 'Gli operatori hanno seguito pure {peer}.'],
  twoPeers: ['Anche {peer} e {peer2} erano sotto i riflettori.'],
  backgrounds: {},
  closings: {
    positive: [
      'I mercati hanno accolto la notizia con sollievo.',
      'Gli osservatori parlano di un segnale incoraggiante.',
      'Gli esperti di {broker} prevedono nuovi progressi.',
      'L’umore degli investitori è nettamente migliorato.',
    ],
    negative: [
      'I mercati hanno accolto la notizia con preoccupazione.',
      'Gli osservatori parlano di una seria battuta d’arresto.',
      'Gli esperti di {broker} temono nuove difficoltà.',
      'L’umore degli investitori è nettamente peggiorato.',
    ],
    neutral: [
      'I mercati hanno reagito appena alla notizia.',
      'Gli osservatori si aspettavano questo esito.',
      'Gli esperti di {broker} non cambiano le previsioni.',
      'Altri dettagli seguiranno nelle prossime settimane.',
      'La prossima riunione si terrà fra alcune settimane.',
    ],
  },
  authors: {
    given: ['Aurelio', 'Bianca', 'Corrado', 'Delfina', 'Ettore', 'Fiamma', 'Gaspare', 'Iride', 'Livio', 'Mirella'],
    family: [
      'Acquaviola',
      'Boscorosso',
      'Campanello',
      'Dolcevento',
      'Gattamora',
      'Lunardello',
      'Passerotti',
      'Solechiaro',
    ],
  },
}
