import { commaNumbers, type Language } from './language.ts'

const ordinals = ['premier', 'deuxième', 'troisième', 'quatrième']

export const french: Language = {
  code: 'fr',
  joiner: ' ',
  contentLength: 260,
  numbers: commaNumbers({
    group: '\u00a0',
    percent: '\u00a0%',
    billions: 'milliards',
    millions: 'millions',
    currencies: {
      USD: 'de dollars',
      EUR: "d'euros",
      GBP: 'de livres sterling',
      JPY: 'de yens',
      CHF: 'de francs suisses',
    },
  }),
  assetNames: {},
  contract: (text) => text.replace(/\b([DdLl])e (?=[AEIOUÉ])/g, '$1’'),
  quarter: (quarter) => `${ordinals[quarter - 1]} trimestre`,
  quarterLabel: (quarter, year) => `T${quarter} ${year}`,
  banks: {
    US: 'la Fed',
    EU: 'la BCE',
    GB: "la Banque d'Angleterre",
    JP: 'la Banque du Japon',
    CN: 'la Banque populaire de Chine',
  },
  places: { US: 'aux États-Unis', EU: 'en zone euro', GB: 'au Royaume-Uni', JP: 'au Japon', CN: 'en Chine' },
  eventTemplates: {
    'earnings-beat': {
      titles: ['{name} dépasse les attentes au {quarter}', '{name} : le chiffre d’affaires bondit de {pctHigh}'],
      leads: [
        '{name} a réalisé au {quarter} un chiffre d’affaires de {revenueHigh}, en hausse de {pctHigh} et supérieur aux prévisions.',
      ],
      details: ['La marge s’est améliorée grâce à une demande solide et à des coûts bien maîtrisés.'],
    },
    'earnings-miss': {
      titles: ['{name} déçoit au {quarter}', 'Résultats décevants : {name} recule de {pct} en Bourse'],
      leads: [
        '{name} a publié pour le {quarter} un chiffre d’affaires de {revenueLow}, loin des {revenueHigh} attendus par les analystes.',
      ],
      details: ['La hausse des coûts et la faiblesse des commandes ont pesé sur le bénéfice, reconnaît la direction.'],
    },
    'guidance-cut': {
      titles: ['{name} lance un avertissement sur résultats', '{name} abaisse ses objectifs pour {year}'],
      leads: [
        '{name} a ramené son objectif de ventes pour {year} de {yearHigh} à {yearLow} et prévient que le second semestre sera difficile.',
      ],
      details: ['La direction invoque des commandes annulées et la hausse des salaires.'],
    },
    'analyst-upgrade': {
      titles: ['{broker} passe à l’achat sur {name}', '{name} : les analystes voient un potentiel de {pctHigh}'],
      leads: [
        '{broker} a relevé sa recommandation sur {name} à « acheter » et voit un potentiel de hausse de {pctHigh}.',
      ],
      details: ['Le groupe gagne des parts de marché et sa valorisation reste attrayante, selon la note.'],
    },
    'analyst-downgrade': {
      titles: ['{broker} conseille de vendre {name}', '{name} dégradé : valorisation jugée excessive'],
      leads: [
        '{broker} a abaissé sa recommandation sur {name} à « vendre » et réduit son objectif de cours de {pctHigh}.',
      ],
      details: ['La concurrence s’intensifie et la croissance ralentit, selon la note.'],
    },
    buyback: {
      titles: [
        '{name} va racheter pour {moneyHigh} d’actions',
        '{name} annonce un vaste programme de rachat d’actions',
      ],
      leads: ['{name} va racheter ses propres actions à hauteur de {moneyHigh} au cours des {months} prochains mois.'],
      details: ['Le bilan est assez solide pour financer aussi la croissance, assure le groupe.'],
    },
    layoffs: {
      titles: ['{name} supprime {count} postes', 'Suppressions d’emplois chez {name}'],
      leads: ['{name} va supprimer {count} postes en raison du ralentissement de son activité.'],
      details: ['Les syndicats dénoncent un plan brutal, dont le coût est estimé à {moneyLow}.'],
    },
    'product-launch': {
      titles: ['{name} dévoile {brand}', 'Avec {brand}, {name} veut séduire de nouveaux clients'],
      leads: ['{name} a présenté {brand} à {city}, et les premières commandes dépassent les attentes.'],
      details: ['Les spécialistes saluent la qualité du produit, dont la livraison débutera dans {months} mois.'],
    },
    'antitrust-probe': {
      titles: ['Enquête de concurrence contre {name}', 'Le gendarme de la concurrence vise {name}'],
      leads: ['L’autorité de la concurrence a ouvert une enquête sur {name}, qui risque une amende de {moneyLow}.'],
      details: ['Le groupe conteste tout abus de position dominante et dit coopérer avec les enquêteurs.'],
    },
    partnership: {
      titles: ['{name} et {peer} concluent un partenariat', '{name} s’allie à {peer}'],
      leads: ['{name} et {peer} vont travailler ensemble, avec à la clé {moneyLow} d’économies par an.'],
      details: ['Une équipe commune sera installée à {city}, et les investisseurs saluent cet accord.'],
    },
    'coin-rally': {
      titles: ['{name} : le cours grimpe de {pct}', 'Cryptomonnaies : {name} en forte hausse'],
      leads: [
        'Le cours de {name} a grimpé de {pct} en une journée, porté par un afflux de capitaux sur le marché des cryptomonnaies.',
      ],
      details: ['Les vendeurs à découvert ont dû se racheter, ce qui a amplifié le mouvement.'],
    },
    'coin-slide': {
      titles: ['{name} : le cours chute de {pct}', 'Cryptomonnaies : {name} plonge'],
      leads: ['Le cours de {name} a chuté de {pct}, après la liquidation de nombreuses positions à effet de levier.'],
      details: ['Des opérateurs évoquent des ventes de panique, qui touchent aussi les autres cryptomonnaies.'],
    },
    'index-gain': {
      titles: ['{name} : la Bourse gagne {pct}', 'Séance de hausse pour le {name}'],
      leads: ['Le {name} a terminé la séance en hausse de {pct}, soutenu par de bons résultats d’entreprises.'],
      details: ['Le repli des taux obligataires a conforté les acheteurs, surtout sur les valeurs cycliques.'],
    },
    'index-fall': {
      titles: ['{name} : la Bourse perd {pct}', 'Séance de baisse pour le {name}'],
      leads: ['Le {name} a perdu {pct}, la remontée des taux obligataires ayant inquiété les investisseurs.'],
      details: ['Les valeurs technologiques ont été les plus touchées et peu de titres ont échappé au repli.'],
    },
    'gold-rally': {
      titles: ['L’or gagne {pct}', 'L’or s’approche de son record'],
      leads: ['Le prix de l’or a progressé de {pct}, soutenu par les achats des banques centrales.'],
      details: ['La faiblesse du dollar rend le métal précieux plus attrayant pour les acheteurs étrangers.'],
    },
    'oil-supply-cut': {
      titles: ['Le pétrole bondit de {pct}', 'Brent et WTI en hausse après la décision des producteurs'],
      leads: [
        'Les prix du pétrole ont bondi de {pct} après la décision de plusieurs pays de prolonger la baisse de leur production de {months} mois.',
      ],
      details: ['Les stocks de brut diminuent depuis des semaines, ce qui soutient le Brent et le WTI.'],
    },
    'rate-cut': {
      titles: ['{Bank} abaisse son taux directeur à {rateLow}', 'Baisse des taux : {bank} soutient la croissance'],
      leads: ['{Bank} a abaissé son taux directeur de {bp} points de base, à {rateLow}, pour soutenir la croissance.'],
      details: ['L’inflation est jugée sous contrôle, et les emprunteurs devraient bientôt en profiter.'],
    },
    'rate-hold': {
      titles: ['{Bank} laisse ses taux inchangés', 'Statu quo : {bank} maintient son taux à {rateHigh}'],
      leads: ['{Bank} a maintenu son taux directeur à {rateHigh}, comme prévu par les économistes.'],
      details: ['Les prochaines décisions dépendront des données économiques, indique le communiqué.'],
    },
    'inflation-cools': {
      titles: ['L’inflation ralentit à {pctLow} {place}', 'Prix : la hausse se calme {place}'],
      leads: ['L’inflation est revenue de {pctHigh} à {pctLow} {place}, ce qui ravive l’espoir d’une baisse des taux.'],
      details: ['L’énergie a nettement baissé, et l’alimentation coûte moins cher que le mois précédent.'],
    },
    'inflation-heats': {
      titles: ['L’inflation accélère à {pctHigh} {place}', 'Mauvaise surprise sur les prix {place}'],
      leads: ['L’inflation est passée de {pctLow} à {pctHigh} {place}, ce qui éloigne l’espoir d’une baisse des taux.'],
      details: ['Les loyers et l’alimentation ont fortement augmenté, et le pouvoir d’achat recule.'],
    },
  },
  onePeer: ['{peer} a aussi retenu l’attention.', 'Les opérateurs surveillaient également {peer}.'],
  twoPeers: ['{peer} et {peer2} ont aussi retenu l’attention.'],
  backgrounds: {},
  closings: {
    positive: [
      'La nouvelle a été accueillie avec soulagement sur les marchés.',
      'Les observateurs y voient un signal encourageant.',
      'Les spécialistes de {broker} s’attendent à de nouveaux progrès.',
      'Le moral des investisseurs s’est nettement amélioré.',
    ],
    negative: [
      'La nouvelle a été accueillie avec inquiétude sur les marchés.',
      'Les observateurs y voient un sérieux revers.',
      'Les spécialistes de {broker} redoutent de nouvelles difficultés.',
      'Le moral des investisseurs s’est nettement dégradé.',
    ],
    neutral: [
      'La nouvelle a laissé les marchés sans réaction.',
      'Les observateurs s’attendaient à cette issue.',
      'Les spécialistes de {broker} ne changent pas leurs prévisions.',
      'D’autres détails suivront dans les prochaines semaines.',
      'La prochaine réunion aura lieu dans quelques semaines.',
    ],
  },
  authors: {
    given: ['Aurore', 'Bastien', 'Clotilde', 'Damien', 'Élodie', 'Fabrice', 'Gaëlle', 'Honoré', 'Inès', 'Jocelyn'],
    family: [
      'Bellebranche',
      'Clairfontaine',
      'Dubosquet',
      'Feuillerousse',
      'Grandchêne',
      'Hautmarais',
      'Loupvert',
      'Moussaillon',
    ],
  },
}
