import type { LanguageWords } from './language-words.ts'

export const italian: LanguageWords = {
  rises: `
    sale, salgono, salito, salita, aument*, cresce, crescono, crescita, rialz*, alza, alzano, migliora, migliorano, migliorat*, avanza,
    guadagna, guadagnano, rimbalz*, recuper*, accelera, increment*, supera, superano, raddoppia, triplica, assumerà, assume, assunzioni,
    progresso, in verde, trascina, trascinano, spinge, spingono, saliti, salite, promuove, rafforza, oltre le attese, si ampliano, amplia, ampliano`,
  falls: `
    scende, scendono, sceso, discesa, cala, calano, calo, cali, ribass*, diminu*, taglia, tagliano, tagli, taglio, riduce, riducono,
    riduzione, ridotto, perde, perdono, arretra, arretrano, flette, flessione, contrae, contrazione, rallenta, rallentano, elimina,
    eliminano, dimezz*, in rosso, giù, frena, frenano, cede, cedono, meno, abbassa`,
  soars: `
    vola, volano, balz*, schizza, schizzano, record, massimi, massimi storici, impenna, impennata, esplode, botto, con forza, forte rialzo`,
  plunges: `
    croll*, affond*, precipit*, tracolla, tracollo, sprofonda, picchiata, tonfo, forte calo, affossa`,
  good: `
    utile, utili, profitti, profitto, ricavi, fatturato, vendite, risultato, risultati, conti, stime, guidance, obiettivi, previsioni,
    dividendo, dividendi, margine, margini, domanda, titolo, titoli, azioni, ordini, commesse, produzione, economia, pil, esportazioni,
    export, posti di lavoro, occupazione, fiducia, borsa, borse, piazza affari, mib, prezzo, giudizio, consegne`,
  bad: `
    perdita, perdite, costi, debito, debiti, disoccupazione, inflazione, prezzi al consumo, deficit, spese, sofferenze, fallimenti, rischi`,
  neutral: 'tassi, tasse, quota, partecipazione, imposte, spread',
  plus: `
    batte, battono, meglio delle attese, meglio del previsto, sopra le attese, supera le attese, ottiene, ottengono, vince un contratto,
    vince un appalto, si aggiudica, commessa da, ordine per, ordini record, successo, con successo, riacquisto, buyback, buy, conferma,
    respinta, assolt*, approva, autorizza, solido, solida, accordo, firma, importante accordo, ottimis*, revocato`,
  minus: `
    delud*, delusione, avvert*, allarme, condannat*, multa, multe, multat*, sanzion*, indaga, indagano, indagine, istruttoria, inchiesta,
    fa causa, fanno causa, denuncia, sciopero, scioperi, disagi, richiamo, richiama, ritardi, ritardo, fallisce, fallito, soffre, soffrono,
    debole, deboli, debolezza, minaccia, minacciano, crisi, sospende, sospendono, furto di dati, attacco hacker, cyberattacco,
    licenziamenti, licenzia, sell, declassa, bocciatura, boccia, frode, scandalo, riciclaggio, timori, paura, pesa, pesano, difetto, guasto,
    chiusura dello stabilimento, ferma la produzione, fermano la produzione, sotto le attese, peggio delle attese, allarme utili`,
  triumph: 'utile record, ricavi record, utili record',
  disaster: `
    fallimento, bancarotta, amministrazione controllata, amministrazione straordinaria, insolven*, liquidazione, concordato, default,
    profit warning`,
  not: 'respinge, respingono, evita, evitano, non, senza, nessun*, mai, né, evita il, revocato lo',
  less: `
    meno del previsto, meno delle attese, meno di quanto previsto, meno di quanto atteso, meno del temuto, più lentamente del previsto`,
  despite: 'nonostante, malgrado, sebbene, anche se',
  mask: `
    vince la coppa, vince il, vince la, più del previsto, presenta, almeno, prima di comprare, taglia i tassi, valuta, rinvia, sale a bordo`,
  clauses: 'mentre, ma, e, invece, tuttavia, però',
  topics: {
    earnings: `
      utile, utili, utile netto, ricavi, fatturato, vendite, perdite, perdita, conti, trimestrale, batte le attese, guadagna meno,
      batte … stime, risultati`,
    guidance: `
      stime per, guidance, obiettivi, allarme utili, previsioni per, prospettive, taglia le stime`,
    dividends: 'dividendo, dividendi, cedola',
    'share-buybacks': 'riacquisto di azioni, riacquisto, buyback, azioni proprie',
    'mergers-and-acquisitions': 'acquisizione, acquisizioni, opa, ops, fusione, acquisisce, offerta pubblica',
    ipos: 'quotazione in borsa, debutto in borsa, ipo, sbarco in borsa, quotazione',
    layoffs: `
      licenziamenti, licenzia, taglia … posti, posti di lavoro, esuberi, elimina … posti`,
    'executive-changes': `
      nomina, si dimette, dimissioni, nuovo amministratore, amministratore delegato, nuovo ceo, nuovo presidente, direttore finanziario`,
    'analyst-ratings': 'giudizio, promuove, prezzo obiettivo, target price, raccomandazione, neutral',
    'european-central-bank': 'bce, lagarde, banca centrale europea',
    'central-banks':
      'i tassi, tassi di interesse, taglio dei tassi, banca centrale, politica monetaria, banca d italia',
    'federal-reserve': 'fed, federal reserve, powell',
    inflation: 'inflazione, prezzi al consumo, carovita',
    gdp: 'pil, prodotto interno lordo, recessione, crescita economica',
    'jobs-reports': 'disoccupazione, occupazione, mercato del lavoro',
    tariffs: 'dazi, dazio, guerra commerciale',
    'european-indices': 'piazza affari, ftse mib, borsa milano, borse europee, milano in, dax, euro stoxx',
    'us-indices': 'wall street, dow jones, nasdaq, s&p',
    'asian-indices': 'nikkei, hang seng, borse asiatiche',
    'crude-oil': 'petrolio, brent, opec, greggio, barile',
    gold: 'oro, oncia',
    bitcoin: 'bitcoin',
    strikes: 'sciopero, scioperi, agitazione sindacale',
    recalls: 'richiamo, richiama, richiami',
    lawsuits: 'fa causa, fanno causa, causa contro, giudice, processo, condannat*, tribunale, class action',
    antitrust: 'antitrust, multa da, abuso di posizione, agcm',
    'regulatory-probes': 'indaga, indagano, indagine, inchiesta, istruttoria, procura, consob',
    'data-breaches': 'furto di dati, attacco hacker, cyberattacco, violazione dei dati, fuga di dati',
  },
}
