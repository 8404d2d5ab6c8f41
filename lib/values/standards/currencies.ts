// Written by hand from the lists one and three of ISO 4217, as published on 2026-01-01: every currency, and funds, metals and units
// that have a code, by the digits of the minor unit. They are kept here, as the ICU of Node has only some of them.

/** Currencies of today. `none` is of codes without a minor unit. */
export const activeCurrencies = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE ' +
    'CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD ' +
    'HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK ' +
    'MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD ' +
    'RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH ' +
    'USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
  none: 'XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX',
};

/** Currencies that were withdrawn. The list does not say their minor units: here are those they had, as Java has them, else 2. */
export const withdrawnCurrencies = {
  0: 'ADP BEF BYB BYR ESP GRD ITL LUF MGF PTE ROL TPE TRL',
  2:
    'AFA ALK ANG AOK AON AOR ARA ARP ARY ATS AYM AZM BAD BEC BEL BGJ BGK BGL BGN BOP BRB BRC BRE BRN BRR ' +
    'BUK CHC CSD CSJ CSK CUC CYP DDM DEM ECS ECV EEK ESA ESB FIM FRF GEK GHC GHP GNE GNS GQE GWE GWP HRD ' +
    'HRK IEP ILP ILR ISJ LAJ LSM LTL LTT LUC LUL LVL LVR MLF MRO MTL MTP MVQ MXP MZE MZM NIC NLG PEH PEI ' +
    'PES PLZ RHD ROK RUR SDD SDP SIT SKK SLL SRG STD SUR TJR TMM UAK UGS UGW USS UYN UYP VEB VEF VNC YDD ' +
    'YUD YUM YUN ZAL ZMK ZRN ZRZ ZWC ZWD ZWL ZWN ZWR',
  none: 'XEU XFO XFU XRE',
};
