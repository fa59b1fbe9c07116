import type { LanguageWords } from './language-words.ts'

export const french: LanguageWords = {
  rises: `
    augment*, hausse, hausses, progress*, grimp*, mont*, croît, croissance, croissant, relève, relèvent, relevé, relever, gagne,
    gagnent, accélère, accélèrent, améliore, améliorent, amélioration, remonte, remontent, rebond, rebondit, rebondissent,
    repasse au dessus, crée, créer, création, renforce, double, triple, dépasse, dépassent, soutient, dope, dopent, en vert, dans le vert, plus haut`,
  falls: `
    baiss*, recul*, repli, replie, diminu*, abaisse, abaissent, abaisser, réduit, réduisent, réduire, rédui*, supprime, suppriment,
    supprimer, suppression*, perd, perdent, cède, cèdent, ralenti*, contracte, contraction, décroît, en rouge, dans le rouge, moins,
    divisé par deux, freine, rogne, glisse, rétrécit, repasse sous, passe sous, pèse sur`,
  soars: `
    bondi*, bond, envole, envolent, envolée, flambe, flambée, explose, record, records, historique, sommet, fortement, nettement`,
  plunges: `
    plong*, chut*, effondr*, dégringol*, dévisse, dévissent, décroche, décrochent, krach, s'écroule, écroule, sombre, plombé*`,
  good: `
    bénéfice, bénéfices, profit, profits, résultat, résultats, chiffre d affaires, ventes, revenus, recettes, prévisions, objectifs,
    objectif, prévision, dividende, dividendes, marge, marges, demande, action, actions, titre, cours, commandes, production, économie,
    pib, exportations, emplois, emploi, postes, moral, confiance, croissance, bourse, bourses, indice, once`,
  bad: `
    perte, pertes, coûts, dette, dettes, chômage, inflation, prix à la consommation, déficit, dépenses, faillites, défaillances, taxes,
    droits de douane, risques`,
  neutral: 'taux, impôts, participation, part du capital, taux directeurs',
  plus: `
    bat, battent, meilleur*, supérieur* aux attentes, dépasse les attentes, remporte, décroche une commande, décroche un contrat,
    commande géante, obtient, obtiennent, signe un contrat, contrat majeur, réussie, réussi, succès, boucle, à l achat, achat, rachat d actions,
    confirme, rejetée, relaxé, relaxée, approuve, autorisation, carnet de commandes,
    optimiste, fort, forte, solide, solides, bon trimestre, surperformance, surpondérer`,
  minus: `
    déçoi*, décevant*, avertissement, avertit, alerte, condamné*, amende, amendes, écope, enquête, enquêtes, visé*, plainte, plaintes,
    poursuivi*, procès, sanctionn*, grève, grèves, perturbé*, rappel, rappelle, rappels, retard*, échec, échoue, souffre, souffrent,
    faiblesse, faible, faibles, menace, menacent, crise, suspend, suspendu, fuite de données, cyberattaque, piratage, licenciement*,
    licencie, dégrade, dégradé, à la vente, fraude, blanchiment, scandale, inquiét*, craintes, perd un client, ferme, fermeture*,
    sous performance, sous pondérer, panne, défaut, pénurie, contentieux`,
  triumph: 'résultat record, bénéfice record, commandes record',
  disaster: `
    faillite, dépose le bilan, dépôt de bilan, redressement judiciaire, liquidation, cessation de paiements, insolvab*, creuse ses pertes,
    creuse sa perte, profit warning, avertissement sur résultats`,
  not: 'rejette, rejettent, échappe, échappent, évite, évitent, ne, n, pas de, aucun*, sans, jamais, fin de la, fin de, échappe à la, évite la',
  less: `
    moins que prévu, moins qu attendu, moins que attendu, moins qu escompté, moins d avions que prévu, moins que craint,
    moins vite que prévu, plus lentement que prévu, moins fort que prévu`,
  despite: 'malgré, en dépit, bien que',
  mask: `
    remporte la ligue, remporte la coupe, remporte le, action collective, plus que prévu, plus qu attendu, présente, au moins,
    le plus, bat le record, de plus en plus`,
  clauses: 'tandis que, alors que, mais, et, cependant, pendant que',
  topics: {
    earnings: `
      bénéfice, bénéfices, bénéfice net, résultats, résultat net, chiffre d affaires, les ventes de, ventes, perte, pertes,
      résultats trimestriels, bat … consensus`,
    guidance: `
      prévisions, objectifs, prévisions annuelles, avertissement sur résultats, objectif de résultat, perspectives`,
    dividends: 'dividende, dividendes, coupon',
    'share-buybacks': 'rachat d actions, rachats d actions, rachète ses actions',
    'mergers-and-acquisitions':
      'acquisition, acquisitions, rachat d un, rachat de, rachat du, opa, fusion, rachète, offre publique d achat',
    ipos: 'introduction en bourse, entrée en bourse, ipo, introductions en bourse, s introduit en bourse',
    layoffs: `
      supprimer … emplois, supprime … emplois, suppression* d emplois, licenciement*, plan social, supprime … postes,
      suppression* de postes, supprime des milliers, supprimer … postes, plan de départs`,
    'executive-changes': `
      nomme, nommé directeur, démissionne, démission, nouveau directeur, nouveau patron, prend la tête, directeur général quitte, succède`,
    'analyst-ratings': `
      à l achat, à la vente, objectif de cours, reste neutre, dégrade, relève à, recommandation, passe à neutre, surpondérer`,
    'european-central-bank': 'bce, lagarde, banque centrale européenne',
    'central-banks':
      'taux directeurs, banque centrale, baisse des taux, hausse des taux, politique monétaire, ses taux',
    'federal-reserve': 'fed, réserve fédérale, powell',
    inflation: 'inflation, prix à la consommation, hausse des prix',
    gdp: 'pib, produit intérieur brut, croissance française, récession, croissance économique, la croissance',
    'jobs-reports': 'chômage, demandeurs d emploi, marché du travail, taux de chômage',
    tariffs: 'droits de douane, guerre commerciale, surtaxe*, taxes douanières, tarifs douaniers',
    'european-indices': 'cac 40, bourse de paris, bourses européennes, dax, euro stoxx',
    'us-indices': 'wall street, dow jones, nasdaq, s&p',
    'asian-indices': 'nikkei, hang seng, bourses asiatiques',
    'crude-oil': 'pétrole, brent, opep, baril',
    gold: 'cours de l or, once d or, l or atteint, l or bat, prix de l or, métal jaune',
    bitcoin: 'bitcoin',
    strikes: 'grève, grèves, débrayage*, mouvement social',
    recalls: 'rappel de, rappelle, rappel*',
    lawsuits: 'plainte, plaintes, procès, condamné*, justice, tribunal, action en justice',
    antitrust:
      'amende, autorité de la concurrence, antitrust, abus de position dominante, bruxelles ouvre, bruxelles inflige',
    'regulatory-probes': 'enquête, enquêtes, perquisition*, amf, parquet',
    'data-breaches': 'fuite de données, cyberattaque, piratage, vol de données',
  },
}
