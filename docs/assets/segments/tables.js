// Made from tools/telecom/segments.py by `make golden`: change it there.

// The default alphabet (3GPP TS 23.038 §6.2.1), one septet each; its extension table (§6.2.1.1), two each.
export const BASIC = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
export const EXTENSION = "\f^{}\\[~]|€";

// The units of a message of one segment, and of each of several (3GPP TS 23.040 §9.2.3.16, §9.2.3.24.1).
export const LIMITS = {"GSM-7": {"single": 160, "multi": 153}, "UCS-2": {"single": 70, "multi": 67}};

// The most segments that the API takes (docs/decisions/0007-message-size.md).
export const MAX_SEGMENTS = 10;
