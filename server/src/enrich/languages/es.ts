import type { LanguageWords } from './language-words.ts'

export const spanish: LanguageWords = {
  rises: `
    sube, suben, subió, subida, sumó, aument*, crece, crecen, creció, crecimiento, eleva, elevan, elevó, avanza, avanzan, gana, ganan,
    ganó, ganancias, mejora, mejoran, mejoró, repunt*, rebot*, alza, al alza, increment*, amplía, amplían, creará, crea, crean, crear,
    acelera, recupera, recuperan, supera, superan, superó, en verde, duplic*, triplic*, asciende, fortalece, obtiene un beneficio, impuls*, subieron, alentad*`,
  falls: `
    baja, bajan, bajó, bajada, cae, caen, cayó, caída, caídas, retrocede, retroceden, retroceso, pierde, pierden, perdió, recort*,
    rebaja, rebajan, reduce, reducen, redujo, disminu*, elimina, eliminan, eliminará, descien*, descenso, modera, moderan, contrae,
    contracción, se contrae, merma, cede, ceden, a la baja, menos, se reduce, en rojo, de rojo, frena, frenan, ralentiza, desaceler*`,
  soars: `
    dispara, disparan, disparó, récord, récords, máximo, máximos, máximo histórico, máximos históricos, se dispara, vuela, con fuerza,
    escala, catapulta`,
  plunges: `
    desplom*, hund*, derrumb*, se desploma, colaps*, batacazo, crack, despeña, tumba`,
  good: `
    beneficio, beneficios, ganancia, ventas, ingresos, facturación, resultado, resultados, ebitda, previsión, previsiones, objetivos,
    objetivo, dividendo, dividendos, margen, márgenes, demanda, acción, acciones, pedidos, cartera, producción, economía, pib,
    exportaciones, empleo, empleos, puestos de trabajo, puestos, confianza, bolsa, bolsas, ibex, precio, entregas`,
  bad: `
    pérdida, pérdidas, costes, costos, deuda, paro, desempleo, inflación, ipc, déficit, gastos, morosidad, quiebras, riesgos`,
  neutral: 'tipos, tipos de interés, impuestos, participación, tasas, tasa de interés',
  plus: `
    bate, baten, batir, mejor de lo esperado, mejor de lo previsto, supera las expectativas, supera las previsiones, logra, logran,
    consigue, consiguen, gana un contrato, pedido de, adjudica, contrato de, éxito, con éxito, exitoso, récord, recompra, sólido, sólida,
    mejora su recomendación, recomienda comprar, comprar, sobreponderar, confirma, desestimada, absuelto,
    absuelve, aprueba, autoriza, por todo lo alto, optimista, desconvoca*, acuerdo`,
  minus: `
    decepcion*, advert*, alerta, condenad*, multa, multas, multad*, sanciona, sancionad*, sanción, investiga, investigan, investigación,
    expediente, demanda a, demandan, demandad*, huelga, huelgas, cancelad*, llama a revisión, retrasos, retraso, fracas*, sufre, sufren,
    débil, débiles, debilidad, amenaza, amenazan, crisis, suspende, suspenden, filtración de datos, ciberataque, hackeo, despide,
    despiden, despidos, ere, recomienda vender, vender, infraponderar, fraude, escándalo, blanqueo, temor, temores, lastrad*, lastra,
    lastran, fallo, avería, cierra plantas, cierre de plantas, peor de lo esperado, peor de lo previsto, incertidumbre, pierde a`,
  triumph: 'beneficio récord, ingresos récord, resultado récord',
  disaster: `
    quiebra, bancarrota, concurso de acreedores, insolven*, liquidación, suspensión de pagos, impago, advertencia sobre beneficios,
    profit warning`,
  not: 'desestima, desestiman, evita, evitan, no, sin, nunca, ni, tampoco, desconvoca la, desconvocan la, fin de la, evita la',
  less: `
    menos de lo esperado, menos de lo previsto, menos que lo esperado, menos de lo temido, menos de lo que se esperaba,
    por debajo de lo esperado, por debajo de lo previsto, más despacio de lo previsto`,
  despite: 'pese a, a pesar de, aunque, pese',
  mask: `
    gana la copa, gana el, gana la liga, más de lo esperado, más de lo previsto, sale a la venta, presenta, al menos, antes de comprar,
    estudia la compra, baja de tipos, bajada de tipos`,
  clauses: 'mientras, pero, y, aunque, en cambio, sin embargo',
  topics: {
    earnings: `
      beneficio, beneficios, gana un, ventas, ingresos, pérdidas, resultados, facturación, ebitda, gana menos, expectativas del mercado,
      bat* … previsiones, pierde … millones, gana … millones`,
    guidance: `
      previsión, previsiones, objetivos, advertencia sobre beneficios, guía anual, perspectivas`,
    dividends: 'dividendo, dividendos',
    'share-buybacks': 'recompra de acciones, recompra, recompras, programa de recompra',
    'mergers-and-acquisitions':
      'adquisición, adquisiciones, opa, fusión, la compra de, compra de un, absorción, oferta pública de adquisición',
    ipos: 'salida a bolsa, estreno en bolsa, opv, debut en bolsa, sale a bolsa, debuta en bolsa',
    layoffs: `
      ere, despide, despiden, despidos, elimina … puestos, puestos de trabajo, recorte de plantilla, eliminará … empleos`,
    'executive-changes': `
      nombra, nombrado, dimite, dimisión, consejero delegado, nuevo presidente, releva, sustituye, ficha a`,
    'analyst-ratings': `
      recomendación, recomienda, precio objetivo, consejo neutral, mejora su consejo, sobreponderar, infraponderar`,
    'european-central-bank': 'bce, lagarde, banco central europeo',
    'central-banks':
      'tipos de interés, los tipos, bajada de tipos, subida de tipos, banco central, política monetaria, banxico',
    'federal-reserve': 'fed, reserva federal, powell',
    inflation: 'inflación, ipc, precios de consumo',
    gdp: 'pib, producto interior bruto, producto interno bruto, economía española, economía … crece, recesión, la economía',
    'jobs-reports': 'paro, desempleo, afiliación, tasa de paro, mercado laboral, epa',
    tariffs: 'aranceles, arancel, guerra comercial',
    'european-indices': 'ibex 35, ibex, bolsas europeas, bolsa española, dax, euro stoxx',
    'us-indices': 'wall street, dow jones, nasdaq, s&p',
    'asian-indices': 'nikkei, hang seng, bolsas asiáticas',
    'crude-oil': 'petróleo, brent, opep, crudo, barril',
    gold: 'oro, onza',
    bitcoin: 'bitcóin, bitcoin',
    strikes: 'huelga, huelgas, paros laborales',
    recalls: 'llama a revisión, retira del mercado, retirada de',
    lawsuits: 'demanda contra, demandan, demandad*, condenad*, juez, juicio, tribunal, sentencia, querella',
    antitrust: 'multa a, bruselas multa, cnmc, competencia multa, antimonopolio, abuso de posición',
    'regulatory-probes': 'investiga, investigan, cnmv, expediente, fiscalía, investigación',
    'data-breaches': 'filtración de datos, ciberataque, hackeo, robo de datos, brecha de seguridad',
  },
}
