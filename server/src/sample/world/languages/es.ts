import { commaNumbers, type Language } from './language.ts'

const ordinals = ['primer', 'segundo', 'tercer', 'cuarto']

export const spanish: Language = {
  code: 'es',
  joiner: ' ',
  contentLength: 260,
  numbers: commaNumbers({
    group: '.',
    percent: '\u00a0%',
    billions: 'mil millones',
    millions: 'millones',
    currencies: {
      USD: 'de dólares',
      EUR: 'de euros',
      GBP: 'de libras',
      JPY: 'de yenes',
      CHF: 'de francos suizos',
      MXN: 'de pesos',
    },
  }),
  assetNames: {},
  contract: (text) => text.replace(/ y (?=I)/g, ' e '),
  quarter: (quarter) => `${ordinals[quarter - 1]} trimestre`,
  quarterLabel: (quarter, year) => `${quarter}T ${year}`,
  banks: {
    US: 'la Fed',
    EU: 'el BCE',
    GB: 'el Banco de Inglaterra',
    JP: 'el Banco de Japón',
    CN: 'el Banco Popular de China',
  },
  places: { US: 'en Estados Unidos', EU: 'en la eurozona', GB: 'en el Reino Unido', JP: 'en Japón', CN: 'en China' },
  eventTemplates: {
    'earnings-beat': {
      titles: ['{name} supera las previsiones en el {quarter}', '{name} aumenta sus ventas un {pctHigh}'],
      leads: [
        '{name} ingresó {revenueHigh} en el {quarter}, un {pctHigh} más que un año antes y por encima de lo previsto.',
      ],
      details: ['El margen mejoró gracias a una demanda sólida y a unos costes bien controlados.'],
    },
    'earnings-miss': {
      titles: ['{name} decepciona en el {quarter}', 'Malos resultados: {name} cae un {pct} en bolsa'],
      leads: ['{name} ingresó {revenueLow} en el {quarter}, lejos de los {revenueHigh} que esperaban los analistas.'],
      details: ['El aumento de los costes y la debilidad de los pedidos lastraron el beneficio, admitió la dirección.'],
    },
    'guidance-cut': {
      titles: ['{name} rebaja sus previsiones para {year}', '{name} lanza una advertencia sobre beneficios'],
      leads: [
        '{name} redujo su previsión de ventas para {year} de {yearHigh} a {yearLow} y advirtió de un segundo semestre difícil.',
      ],
      details: ['La empresa lo atribuye a pedidos cancelados y a unos salarios más altos.'],
    },
    'analyst-upgrade': {
      titles: ['{broker} recomienda comprar {name}', 'Los analistas ven un potencial del {pctHigh} en {name}'],
      leads: ['{broker} elevó su recomendación sobre {name} a «comprar» y ve un potencial alcista del {pctHigh}.'],
      details: ['La empresa gana cuota de mercado y su valoración resulta atractiva, según el informe.'],
    },
    'analyst-downgrade': {
      titles: ['{broker} recomienda vender {name}', '{name}: los analistas ven la valoración excesiva'],
      leads: ['{broker} rebajó su recomendación sobre {name} a «vender» y recortó el precio objetivo un {pctHigh}.'],
      details: ['La competencia aumenta y el crecimiento se frena, según el informe.'],
    },
    buyback: {
      titles: ['{name} recomprará acciones por {moneyHigh}', '{name} anuncia un gran programa de recompra'],
      leads: ['{name} recomprará acciones propias por hasta {moneyHigh} en los próximos {months} meses.'],
      details: ['El balance es lo bastante sólido para financiar además el crecimiento, aseguró la compañía.'],
    },
    layoffs: {
      titles: ['{name} recortará {count} empleos', 'Despidos en {name}: {count} afectados'],
      leads: ['{name} suprimirá {count} puestos de trabajo debido a la desaceleración de su negocio.'],
      details: ['Los sindicatos critican con dureza el plan, cuyo coste se calcula en {moneyLow}.'],
    },
    'product-launch': {
      titles: ['{name} presenta {brand}', 'Con {brand}, {name} quiere atraer a nuevos clientes'],
      leads: ['{name} presentó {brand} en {city}, y los primeros pedidos superan las expectativas.'],
      details: ['Los especialistas elogian la calidad del producto, que se entregará dentro de {months} meses.'],
    },
    'antitrust-probe': {
      titles: ['Investigación de competencia contra {name}', 'El regulador pone a {name} bajo la lupa'],
      leads: [
        'La autoridad de competencia abrió una investigación sobre {name}, que se arriesga a una multa de {moneyLow}.',
      ],
      details: ['La compañía rechaza haber abusado de su posición y afirma que colabora con los investigadores.'],
    },
    partnership: {
      titles: ['{name} y {peer} firman una alianza', '{name} se une a {peer}'],
      leads: ['{name} y {peer} trabajarán juntas y esperan ahorrar {moneyLow} al año.'],
      details: ['Un equipo conjunto se instalará en {city}; los inversores celebraron el acuerdo.'],
    },
    'coin-rally': {
      titles: ['{name} sube un {pct}', 'Criptomonedas: fuerte subida de {name}'],
      leads: ['{name} subió un {pct} en un solo día gracias a la entrada de dinero en el mercado de criptomonedas.'],
      details: ['Los inversores bajistas tuvieron que recomprar, lo que reforzó el avance.'],
    },
    'coin-slide': {
      titles: ['{name} se desploma un {pct}', 'Criptomonedas: fuerte caída de {name}'],
      leads: ['{name} cayó un {pct} tras la liquidación de numerosas posiciones apalancadas.'],
      details: ['Los operadores hablan de ventas por pánico, que afectan también a otras criptomonedas.'],
    },
    'index-gain': {
      titles: ['El {name} sube un {pct}', 'Jornada de ganancias para el {name}'],
      leads: ['El {name} cerró con un alza del {pct}, apoyado en los buenos resultados empresariales.'],
      details: ['La caída de los rendimientos de los bonos animó a los compradores, sobre todo de valores cíclicos.'],
    },
    'index-fall': {
      titles: ['El {name} cae un {pct}', 'Jornada de pérdidas para el {name}'],
      leads: ['El {name} perdió un {pct} después de que el alza de los rendimientos asustara a los inversores.'],
      details: ['Los valores tecnológicos fueron los más castigados y pocos títulos escaparon a los descensos.'],
    },
    'gold-rally': {
      titles: ['El oro sube un {pct}', 'El oro se acerca a su récord'],
      leads: ['El precio del oro subió un {pct}, impulsado por las compras de los bancos centrales.'],
      details: ['La debilidad del dólar hace más atractivo el metal precioso para los compradores extranjeros.'],
    },
    'oil-supply-cut': {
      titles: [
        'El petróleo sube un {pct} tras el recorte de producción',
        'El Brent y el WTI avanzan tras la decisión de los productores',
      ],
      leads: [
        'El precio del petróleo subió un {pct} después de que varios países prolongaran {months} meses sus recortes de producción.',
      ],
      details: ['Las reservas de crudo bajan desde hace semanas, lo que apoya al Brent y al WTI.'],
    },
    'rate-cut': {
      titles: ['{Bank} baja los tipos al {rateLow}', 'Bajada de tipos: {bank} apoya el crecimiento'],
      leads: [
        '{Bank} bajó su tipo de interés oficial {bp} puntos básicos, hasta el {rateLow}, para apoyar el crecimiento.',
      ],
      details: ['La inflación se considera bajo control y los prestatarios notarán pronto el alivio.'],
    },
    'rate-hold': {
      titles: ['{Bank} mantiene los tipos de interés', 'Sin cambios: los tipos siguen en el {rateHigh}'],
      leads: ['{Bank} mantuvo su tipo de interés oficial en el {rateHigh}, como esperaban los economistas.'],
      details: ['Las próximas decisiones dependerán de los datos económicos, según el comunicado.'],
    },
    'inflation-cools': {
      titles: ['La inflación baja al {pctLow} {place}', 'Los precios dan un respiro {place}'],
      leads: ['La inflación bajó del {pctHigh} al {pctLow} {place}, lo que alimenta la esperanza de tipos más bajos.'],
      details: ['La energía se abarató con claridad y los alimentos costaron menos que el mes anterior.'],
    },
    'inflation-heats': {
      titles: ['La inflación sube al {pctHigh} {place}', 'Mala sorpresa en los precios {place}'],
      leads: ['La inflación subió del {pctLow} al {pctHigh} {place}, lo que aleja la esperanza de tipos más bajos.'],
      details: ['Los alquileres y los alimentos se encarecieron mucho y los hogares pierden poder adquisitivo.'],
    },
  },
  onePeer: ['También {peer} llamó la atención.', 'Los operadores siguieron asimismo a {peer}.'],
  twoPeers: ['También {peer} y {peer2} llamaron la atención.'],
  backgrounds: {},
  closings: {
    positive: [
      'Los mercados recibieron la noticia con alivio.',
      'Los observadores hablan de una señal alentadora.',
      'Los expertos de {broker} esperan nuevos avances.',
      'El ánimo de los inversores ha mejorado claramente.',
    ],
    negative: [
      'Los mercados recibieron la noticia con preocupación.',
      'Los observadores hablan de un serio revés.',
      'Los expertos de {broker} temen nuevas dificultades.',
      'El ánimo de los inversores ha empeorado claramente.',
    ],
    neutral: [
      'Los mercados apenas reaccionaron a la noticia.',
      'Los observadores contaban con este resultado.',
      'Los expertos de {broker} mantienen sus previsiones.',
      'Se esperan más detalles en las próximas semanas.',
      'La próxima reunión se celebrará dentro de unas semanas.',
    ],
  },
  authors: {
    given: ['Amaya', 'Benito', 'Candela', 'Darío', 'Elvira', 'Fermín', 'Graciela', 'Hernán', 'Inmaculada', 'Joaquín'],
    family: [
      'Aguasmansas',
      'Campoluna',
      'Delrobledal',
      'Fuenteclara',
      'Lobogrís',
      'Montealto',
      'Ríoseco',
      'Valdeviento',
    ],
  },
}
